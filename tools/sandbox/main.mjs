// Writes config/sandbox/ARCH.bpf: what no program in the sandbox may ask of the kernel (seccomp, classic BPF).
//   node tools/sandbox/main.mjs
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Numbers of `socket`, and of the calls that are refused, by architecture as the kernel's audit names it: keyctl, add_key
 * and request_key reach the keyrings of the user; io_uring_setup opens sockets past a filter, and so does socketcall of
 * i386, whose arguments no filter can read. */
const X86_64 = { audit: 0xc000003e, refused: [250, 248, 249, 425], socket: 41 };
const I386 = { audit: 0x40000003, refused: [288, 286, 287, 425, 102], socket: 359 };
const AARCH64 = { audit: 0xc00000b7, refused: [219, 217, 218, 425], socket: 198 };
const ARM = { audit: 0x40000028, refused: [311, 309, 310, 425], socket: 281 };

/** Native architecture first, as Node calls it. Its programs may be of the second one too. */
export const FILTERS = { x64: [X86_64, I386], arm64: [AARCH64, ARM] };

const [ENOSYS, EAFNOSUPPORT, AF_VSOCK] = [38, 97, 40];
/** Bit of the calls of x32, which the kernel counts as x86_64. */
const X32 = 0x40000000;

const [LOAD, EQUAL, AT_LEAST, RETURN] = [0x20, 0x15, 0x35, 0x06];
const [NUMBER, ARCH, FIRST_ARGUMENT] = [0, 4, 16];
const ALLOW = 0x7fff0000;
const refuse = (errno) => 0x00050000 | errno;

/** Instructions for one architecture. A test jumps over the answer behind it, or falls into it. A socket of AF_VSOCK reaches
 * the host of a virtual machine, and belongs to no network namespace. */
function ofOne({ audit, refused, socket }) {
  const body = [
    [LOAD, 0, 0, NUMBER],
    ...refused.flatMap((call) => [
      [EQUAL, 0, 1, call],
      [RETURN, 0, 0, refuse(ENOSYS)],
    ]),
    [AT_LEAST, 0, 1, X32],
    [RETURN, 0, 0, refuse(ENOSYS)],
    [EQUAL, 1, 0, socket],
    [RETURN, 0, 0, ALLOW],
    [LOAD, 0, 0, FIRST_ARGUMENT],
    [EQUAL, 1, 0, AF_VSOCK],
    [RETURN, 0, 0, ALLOW],
    [RETURN, 0, 0, refuse(EAFNOSUPPORT)],
  ];
  return [[LOAD, 0, 0, ARCH], [EQUAL, 0, body.length, audit], ...body];
}

/** Another architecture gets nothing: its numbers are not known here. */
export function filterOf(architectures) {
  const all = [...architectures.flatMap(ofOne), [RETURN, 0, 0, refuse(ENOSYS)]];
  const bytes = Buffer.alloc(all.length * 8);
  all.forEach(([code, yes, no, value], at) => {
    bytes.writeUInt16LE(code, at * 8);
    bytes.writeUInt8(yes, at * 8 + 2);
    bytes.writeUInt8(no, at * 8 + 3);
    bytes.writeUInt32LE(value, at * 8 + 4);
  });
  return bytes;
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  for (const [name, architectures] of Object.entries(FILTERS))
    writeFileSync(fileURLToPath(new URL(`../../config/sandbox/${name}.bpf`, import.meta.url)), filterOf(architectures));
