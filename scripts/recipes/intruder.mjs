/**
 * Loaded into a shop before its own code, as a package would be that somebody has tampered with: tries
 * what such code does, and prints how far it came. Prints each connection that the process opens too.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { Socket } from 'node:net';
import { Worker } from 'node:worker_threads';

/** @param {() => unknown} crime */
const codeOf = (crime) => {
  try {
    crime();
    return 'done';
  } catch (error) {
    return error instanceof Error && 'code' in error ? error.code : String(error);
  }
};

const tried = {
  read: codeOf(() => readFileSync(`${process.env['TARGET'] ?? ''}/secret`)),
  write: codeOf(() => writeFileSync(`${process.env['TARGET'] ?? ''}/intruder`, '')),
  run: codeOf(() => spawnSync(process.execPath, ['--version'])),
  thread: codeOf(() => new Worker('', { eval: true }).unref()),
};
console.log(`tried ${JSON.stringify(tried)}`);

/** @type {Function} */
const connect = Reflect.get(Socket.prototype, 'connect');
/** @this {Socket} @param {unknown[]} given */
Socket.prototype.connect = function connecting(...given) {
  const [first, second] = given.flat();
  const isObject = typeof first === 'object' && first !== null;
  const { host, port, path } = isObject ? first : { host: second, port: first };
  console.log(`connects ${path ?? `${host}:${port}`}`);
  return Reflect.apply(connect, this, given);
};
