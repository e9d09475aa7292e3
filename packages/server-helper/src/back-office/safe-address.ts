/** Whether a page may link an address of the merchant's: http(s), or a path of the same site. */
export const isSafeAddress = (address: unknown): address is string =>
  typeof address === 'string' &&
  (/^\/(?![/\\])/.test(address) || /^https?:$/.test(URL.parse(address)?.protocol ?? ''));
