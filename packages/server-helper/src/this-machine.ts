const LOCAL = /^(?:localhost|.*\.localhost|127\.\d+\.\d+\.\d+|0\.0\.0\.0|\[::1?\])$/;

/** Whether a host, as `URL` spells it, is the machine itself, which nobody else can reach by it. */
export const isThisMachine = (hostname: string): boolean => LOCAL.test(hostname);
