// Copies an image between the registries of a home: `node copy-image.mjs FROM TO`. The engine's own push sends no password
// to a registry whose reads need none. PASSWORD and STAGING_PASSWORD are the home's secrets.
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const { copyImage, putManifest } = require('../dist/adapters/oci/copy.js');
const { readManifest } = require('../dist/adapters/oci/manifest.js');
const { headManifest, openRepository } = require('../dist/adapters/oci/registry.js');

const [from, to] = process.argv.slice(2).map((text) => /^([^/]+)\/(.+):([^:]+)$/.exec(text).slice(1));
const { signal } = new AbortController();
const open = ([host, repository], username, password) =>
  openRepository({ target: host, username, password, origin: `http://${host}`, signal }, host, { repository });

const source = open(from, 'staging', process.env.STAGING_PASSWORD);
const target = open(to, 'root', process.env.PASSWORD);
const digest = await headManifest(source, from[2]);
await copyImage(source, target, digest, () => undefined);
const { text, type } = await readManifest(target, digest);
await putManifest(target, to[2], text, type);
