/** What a webhook may be aimed at. */
export interface TargetRule {
  /** The sandbox's own port: it never calls itself. */
  readonly ownPort: number;
  /** Addresses beyond this machine too. */
  readonly allowsRemote: boolean;
}

/**
 * Whether the sandbox may send to an address. Without leave it reaches this machine only, so that
 * a webhook of production that was copied here gets no test event, and nobody uses the sandbox to
 * knock at other doors. Names are judged as they are written; none is looked up.
 */
export function isAllowedTarget(url: string, { ownPort, allowsRemote }: TargetRule): boolean {
  const { protocol, hostname, port } = new URL(url);
  if (protocol !== 'http:' && protocol !== 'https:') return false;
  const isHere = isLoopback(hostname);
  const effectivePort = port === '' ? (protocol === 'http:' ? 80 : 443) : Number(port);
  return isHere ? effectivePort !== ownPort : allowsRemote;
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}
