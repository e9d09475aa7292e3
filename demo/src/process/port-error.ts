import { SettingError } from './setting-error.ts';

/** What to do about the reasons for which a system refuses to open a port. */
const remedies: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another program listens there. End it, or choose another port',
  EACCES: 'this account may not open it. Choose a port above 1023',
};

/** Reasons that lie in HOST and not in the port. */
const hostFaults: ReadonlySet<string> = new Set(['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN']);

/** Says of a port that could not be opened what to do; other errors stay as they are. */
export function portError(error: unknown, setting: string, port: number): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (hostFaults.has(code)) {
    return new SettingError(
      'This machine has no such address. Set HOST to one it has, such as 127.0.0.1.',
      { cause: error },
    );
  }
  const remedy = remedies[code];
  if (remedy === undefined) return error;
  return new SettingError(
    `Port ${port} cannot be opened: ${remedy} (${setting}=0 picks a free one).`,
    { cause: error },
  );
}
