/** A word that we do not use, and what to do instead. */
export interface BannedWord {
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
];
