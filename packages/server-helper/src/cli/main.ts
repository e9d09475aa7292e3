import { runCli } from './run.ts';

// A reader that wants no more, such as head, is no failure, and ends nothing: money may be under way.
let lost: NodeJS.ErrnoException | undefined;
const note = (error: NodeJS.ErrnoException | null | undefined): void => {
  if (error && error.code !== 'EPIPE') lost = error;
};
process.stdout.on('error', note);
process.stderr.on('error', () => undefined);
// The gateway client's waits hold no process; until the command has ended, this does.
setInterval(() => undefined, 60_000);
const code = await runCli({
  args: process.argv.slice(2),
  env: process.env,
  out: process.stdout,
  err: process.stderr,
  input: process.stdin,
});
process.stdout.write('', (error) => {
  note(error);
  if (lost !== undefined) {
    process.stderr.write(`pay-button: the output was not written (${lost.code}).\n`);
  }
  // The shop's own code may hold connections, which would keep the process.
  process.exit(lost === undefined ? code : code || 1);
});
