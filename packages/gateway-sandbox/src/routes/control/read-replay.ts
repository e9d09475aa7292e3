import type { ReplayOptions } from '../../webhooks/courier.ts';

const longestUrl = 2048;
const longestSecret = 255;

/** Reads how a delivery is to be sent again; the text says what is wrong and how to put it right. */
export function readReplay(fields: Readonly<Record<string, unknown>>): ReplayOptions | string {
  const { url = null, resign = false, secret = null } = fields;
  if (url !== null && !isWebAddress(url)) return '"url" is an http or https address.';
  if (typeof resign !== 'boolean') return '"resign" is true or false.';
  if (
    secret !== null &&
    (typeof secret !== 'string' || secret === '' || secret.length > longestSecret)
  ) {
    return `"secret" is a text of 1 to ${longestSecret} characters that signs the bytes anew.`;
  }
  return { url, resign: resign || secret !== null ? { secret } : null };
}

function isWebAddress(value: unknown): value is string {
  return (
    typeof value === 'string' &&
    value.length <= longestUrl &&
    /^https?:\/\/[^\s\\]+$/i.test(value) &&
    URL.canParse(value)
  );
}
