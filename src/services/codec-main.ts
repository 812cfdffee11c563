import { codecPort } from '../adapters/temporal/codec/index.js';

/** `node codec-main.js SOCKET`: opens payloads of Temporal until SIGTERM. nginx has checked who asks. */
async function main(): Promise<void> {
  const server = await codecPort(process.env).serve(process.argv[2]!, []);
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void server.close());
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
});
