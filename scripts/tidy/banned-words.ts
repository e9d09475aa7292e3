/** What no line may have, and what to do instead. */
export interface BannedWord {
  /** The paths that it holds for. @defaultValue all */
  readonly files?: RegExp;
  readonly pattern: RegExp;
  readonly advice: string;
}

/**
 * The list is short on purpose: a rule with false alarms is a rule that people learn to ignore.
 * Every advice names the glossary's word or the reason.
 */
export const bannedWords: readonly BannedWord[] = [
  {
    // Not "user agent", "user-select", 'USER' and other people's names with a user in them.
    pattern: /(?<![\w./-])users?(?![\w.:/@=?-]| agents?\b|'[,)])/i,
    advice: 'write shopper (person at the browser), customer (stored record) or who else it is',
  },
  {
    pattern: /\b(?:buyer|purchaser)s?\b/i,
    advice: 'write shopper (person at the browser) or customer (stored record)',
  },
  { pattern: /\bcheckout links?\b/i, advice: 'write payment link' },
  { pattern: /\b(?:PSP|payment (?:provider|processor))s?\b/i, advice: 'write gateway' },
  {
    pattern: /\b(?:mock|fake|dummy|stub) gateways?\b/i,
    advice: 'write sandbox, or scripted gateway for a server that plays a test its answers',
  },
  { pattern: /\b(?:test|live) mode\b/i, advice: 'write sandbox, staging or production' },
  { pattern: /\b3-?DS\b|\b3D[ -]?Secure\b/i, advice: 'write 3-D Secure' },
  { pattern: /\bauthoris(?:e|es|ed|ing|ation|ations)\b/i, advice: 'write authorize' },
  { pattern: /\bcallback ur[il]s?\b/i, advice: 'write return address or webhook' },
  { pattern: /\b(?:IPN|webhook notification)s?\b/i, advice: 'write webhook, event or delivery' },
  { pattern: /\b(?:white|black)list/i, advice: 'write allow list or deny list' },
  {
    pattern: /\b(?:TODO|FIXME|XXX|HACK)\b/,
    advice: 'do it now, or write an issue and leave the code whole',
  },
  {
    pattern: /(?<![\w.~})-])\/(?:home|root|work|Users|farm|tmp)\/\w/,
    advice: 'no path of one machine; take it from the environment or os.tmpdir()',
  },
  {
    files: /\.test\.ts$/,
    pattern:
      /\b(?:it|test|describe|suite)(?:\.\w+)*\.(?:only|skip|skipIf|runIf|todo|fixme)\(|\b[fx](?:it|describe|test)\(/,
    advice: 'mend the test or remove it; every test runs every time',
  },
  {
    files: /\.test\.ts$/,
    pattern: /\bvi\.waitFor\((?!.*(?:timeout:|longWait)).*\);$/,
    advice: 'write expect.poll: without a time of its own this gives up after a second',
  },
  {
    files: /\.test\.ts$/,
    pattern: /^\s*(?:it|test)(?:\.\w+)*\((['"`])[^'"`\s$]*(?:\s[^'"`\s$]*)?\1,/,
    advice: 'no sentence; say what holds, in three words or more',
  },
  {
    files: /^\.github\/workflows\//,
    // A tag can be moved to other code; a commit cannot, and its comment says which version it is.
    pattern: /\buses: (?!\.\/|[\w./-]+@[0-9a-f]{40} # v\d).*/,
    advice: 'pin the action by its commit: owner/name@<commit> # v1.2.3',
  },
  {
    files: /^\.github\/workflows\//,
    pattern: /\bpull_request_target\b/,
    advice: 'it runs a stranger’s change with our rights',
  },
];
