/** Content of a JAR: code, data, or neither. */
export type JarContent = 'classes' | 'resources' | 'nothing';

/** Files of build tools, signers and licences in META-INF. Services, native libraries and web resources there are
 * content. */
const BOOKKEEPING =
  /^META-INF\/(MANIFEST\.MF|INDEX\.LIST|DEPENDENCIES|[^/]*\.(SF|DSA|RSA|EC)|SIG-[^/]*|(LICEN[CS]E|NOTICE|COPYING|README)[^/]*|maven\/.*|licen[cs]es?\/.*)$/i;

/** @param files paths of members without folders */
export function jarContent(files: readonly string[]): JarContent {
  if (files.some((file) => file.endsWith('.class'))) return 'classes';
  return files.every((file) => BOOKKEEPING.test(file)) ? 'nothing' : 'resources';
}
