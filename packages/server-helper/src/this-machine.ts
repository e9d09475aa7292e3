/** `[::ffff:7f…]` is 127… as IPv6 writes an IPv4 address. */
const LOCAL =
  /^(?:(?:.*\.)?localhost\.?|127\.\d+\.\d+\.\d+|0\.0\.0\.0|\[::1?\]|\[::ffff:(?:7f[\da-f]{2}:[\da-f]{1,4}|0:0)\])$/;

/** Whether a host, as `URL` spells it, is the machine itself, which nobody else can reach by it. */
export const isThisMachine = (hostname: string): boolean => LOCAL.test(hostname);
