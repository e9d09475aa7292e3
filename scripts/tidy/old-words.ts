import type { BannedWord } from './banned-words.ts';

/**
 * Words that a rename replaced, each with the word that took its place. A pattern matches whole
 * words, and identifiers that are made of them.
 */
export const oldWords: readonly BannedWord[] = [
  {
    pattern:
      /\b(?:begin|end|claim)Looks?\b|\b(?:next|last)_?[lL]ook_?(?:At|at)\b|\bLook(?:s|Request|Row)?(?=[<>[\];,){|])|\bLOOK_GAP|\b(?:an?|the|each|every|another|one|two|first|next|last|younger|older) looks?\b(?! of| and feel)/,
    advice: 'write status check (beginStatusCheck, endStatusCheck, nextCheckAt, check lease)',
  },
  {
    pattern: /(?<![A-Za-z]|payment_)intents?(?![a-z]|:\/\/)|(?<!Payment|#)Intents?(?![a-z;])/,
    advice: 'write operation (operationId, pay_operations)',
  },
  {
    pattern:
      /\b(?:payments|money)\.settle\(|\bsettle(?:Sale|Intent|Operation)\b|\bintent_settled\b/,
    advice: 'write resolveOperation; settlement is money that reaches the merchant’s account',
  },
  {
    pattern: /\bisSettled\(|\bstate(?:: | === | !== )'settled'/,
    advice: 'write succeeded (of an attempt) or hasMoney (of a payment)',
  },
  {
    pattern: /(?<!\b[iI]n |\b[nN]o )\b[dD]oubt(?:s|ful|ed)?\b|[a-z]Doubts?\b/,
    advice: 'write discrepancy',
  },
  { pattern: /\b[dD]ead[ _-]?[eE]vents?(?![a-z])/, advice: 'write dead letter' },
  { pattern: /\b[tT]old[ _-]?[rR]ows?\b|\b[tT]ell?ings?\b/, advice: 'write status row or report' },
  {
    pattern: /\b[sS]tor(?:y|ies)\b|\bStory[A-Z]|[a-z]Story\b/,
    advice: 'write timeline, entry or details',
  },
  { pattern: /\b[dD]oors?\b|[a-z]Doors?\b/, advice: 'write …Dependencies, …Options or HttpServer' },
  { pattern: /\bnew Lanes\b|\bLanes\./, advice: 'write keyed queue' },
  {
    pattern: /\bBY_ITSELF\b|\b[sS]hared[ _-]?[cC]alls?\b/,
    advice: 'write single, batch or batcher',
  },
  {
    pattern: /\b[pP]atien(?:ce|t|tly)\b|[a-z]Patience\b|\bPATIENCE|\bifPutOff\b/,
    advice: 'write wait options, time limit or onThrottled',
  },
  { pattern: /\bisOurs\b/, advice: 'write matchesAttempt, wasCommittedByUs or isSignedByUs' },
  { pattern: /\b[nN]obody['’]s\b/, advice: 'write unowned' },
  { pattern: /\b[wW]hoever\b/, advice: 'name the person or the program, such as the caller' },
  { pattern: /\b[wW]hat stands (?:there|in)\b/, advice: 'write the stored row' },
  {
    pattern: /\b(?:an?|the|each|every|its) holds?\b|\bHold(?=[<>[\];,){|])/,
    advice: 'write authorization',
  },
  { pattern: /\b[cC]ouriers?\b|[a-z]Courier\b/, advice: 'write webhook dispatcher' },
  { pattern: /\b[sS]tr(?:ikes?|uck)\b|[a-z]Strikes?\b/, advice: 'write inject or injected' },
  { pattern: /\b[wW]eather\b|[a-z]Weather\b/, advice: 'write fault profile' },
  { pattern: /\b[aA]ftermaths?\b|[a-z]Aftermath\b/, advice: 'write side effects' },
  { pattern: /(?<![hH]elp )\b[dD]esks?\b|[a-z]Desk\b/, advice: 'write test console' },
  { pattern: /\b[kK]eepers?\b|[a-z]Keeper\b/, advice: 'write process guard' },
  { pattern: /\b[sS]abot(?:eurs?|ages?)\b/, advice: 'write bug injector' },
  { pattern: /\b(?:the|three|two|all) truths\b|[a-z]Truths\b/, advice: 'write source comparison' },
  { pattern: /\b[vV]ictims?\b/, advice: 'write affected order, or name what is killed' },
  { pattern: /\b[bB]reath\b|\bBREATH\b/, advice: 'write pause' },
  { pattern: /\b[gG]iven back\b|\bgiveBack\b/, advice: 'write refunded' },
  { pattern: /\b[tT]ries that were paid\b/, advice: 'write paid attempts' },
  {
    pattern: /(?<![\p{L}\p{M}])(?:إرجاع|إعادة|ردّ?) المبلغ/u,
    advice: 'write استرداد',
  },
];
