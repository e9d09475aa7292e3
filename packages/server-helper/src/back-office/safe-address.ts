/** Browsers leave these out of an address, so that a slash on each side of one starts another site's. */
const LEFT_OUT = /[\t\n\r]/;

/** Whether a page may link an address of the merchant's: http(s), or a path of the same site. */
export const isSafeAddress = (address: unknown): address is string =>
  typeof address === 'string' &&
  !LEFT_OUT.test(address) &&
  (/^\/(?![/\\])/.test(address) || /^https?:$/.test(URL.parse(address)?.protocol ?? ''));
