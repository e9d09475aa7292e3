import type { IncomingMessage } from 'node:http';
import { withoutCardNumbers } from './domain/stray-cards.ts';
import { defaultTenant } from './domain/state.ts';
import { basePaths } from './sandbox-parts.ts';
import type { SandboxParts } from './sandbox-parts.ts';

/**
 * Remembers that a page of another origin called the gateway, so that the inspector can say what is
 * wrong with it. A browser asks first (preflight), so the key itself seldom arrives.
 */
export function noteBrowserCall({
  machine,
  requestLog,
}: Pick<SandboxParts, 'machine' | 'requestLog'>): (request: IncomingMessage) => void {
  return ({ method = '', url = '' }) => {
    const [path = ''] = url.split('?');
    const isGateway = Object.values(basePaths).some((base) => path.startsWith(base));
    if (!isGateway) return;
    requestLog.add(defaultTenant, {
      id: requestLog.nextId(),
      at: new Date(machine.now(defaultTenant)).toISOString(),
      operation: null,
      environment: path.startsWith(basePaths.production) ? 'production' : 'staging',
      method,
      path: withoutCardNumbers(path).slice(0, 200),
      status: 403,
      merchantOrderId: null,
      sessionId: null,
      decidedBy: 'browser-call',
      tier: 'spec §5',
      request: {},
      faults: [],
      durationMs: 0,
    });
  };
}
