/**
 * The first import of every entry, since a dependency fails on an older Node and does not say why. No
 * import runs before all modules are linked, so an entry imports no name that Node 18's own modules lack.
 */
const OLDEST = [22, 19];

const { node, bun, deno } = globalThis.process?.versions ?? {};
const [major, minor] = (node ?? '').split('.').map(Number);
const isOld = major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1]);

// Bun and Deno tell the version that they imitate.
if (isOld && bun === undefined && deno === undefined) {
  console.error(
    `@pay-button/server-helper needs Node ${OLDEST.join('.')} or later, and this is Node ${node} (${process.execPath}): install the current long-term release from https://nodejs.org/en/download`,
  );
  process.exit(1);
}
