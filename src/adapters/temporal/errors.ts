import { problem } from '../../model/problem.js';

export const servicesDown = problem.infra((home: string) => [
  'SERVICES_DOWN',
  `no Temporal server: nothing is up in the home ${home}, and TEMPORAL_ADDRESS is not set`,
  'Type `slipway up`, or name another home in SLIPWAY_HOME or a server in TEMPORAL_ADDRESS; then the same command again. `slipway doctor` tells what is missing.',
]);
export const homeNotNamed = problem.config((root: string) => [
  'HOME_NOT_NAMED',
  `the package ${root} has no home of its own, and SLIPWAY_HOME is not set`,
  'Set SLIPWAY_HOME to a home that is up, or TEMPORAL_ADDRESS to a server; then the same command again.',
]);
export const certificateUnreadable = problem.config((variable: string, path: string, why: string) => [
  'CERTIFICATE_UNREADABLE',
  `${variable} names ${path}, which cannot be read: ${why}`,
  'Correct the path, or take the variable out of the environment.',
]);
export const certificateExpired = problem.config((file: string, over: string) => [
  'CERTIFICATE_EXPIRED',
  `cannot authenticate to Temporal: the certificate ${over} (${file})`,
  'Set TEMPORAL_TLS_CLIENT_CERT_PATH and TEMPORAL_TLS_CLIENT_KEY_PATH to a certificate that is valid; then the same command again. If it is, correct the clock of this machine.',
]);
export const doorCertificateUnusable = problem.config((fault: string) => [
  'DOOR_CERTIFICATE_UNUSABLE',
  `cannot authenticate to Temporal: ${fault}`,
  'Type `slipway up`: it makes new certificates. `slipway doctor` shows whether the door takes them.',
]);
export const indexWriterSilent = problem.infra((workflowId: string, why: string) => [
  'INDEX_WRITER_SILENT',
  `the writer ${workflowId} took no request to list wheels: ${why}`,
  'The step tries again by itself. `slipway doctor` shows whether a workflow worker is there.',
]);
export const metricsAddressInvalid = problem.config((said: string) => [
  'METRICS_ADDRESS_INVALID',
  `SLIPWAY_METRICS is ${said}, which is no port and no IP address with a port, or leaves the last worker none`,
  'Write a port from 1 to 65535, which is then on 127.0.0.1, or an address such as 10.0.0.5:9464, or take SLIPWAY_METRICS out of the environment; then the same command again.',
]);
