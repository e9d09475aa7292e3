import { getEventListeners } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { CallLimit } from './call.ts';

describe('the limit of a call', () => {
  it('ends the call when the time is up, and says that it was the time', async () => {
    const limit = new CallLimit(5, undefined);
    expect(limit.signal.aborted).toBe(false);
    await delay(100);
    expect(limit).toMatchObject({ isTimeUp: true });
    expect(() => limit.signal.throwIfAborted()).toThrow('The time is up.');
  });

  it('ends the call when the caller gives it up, with the caller’s reason', () => {
    const caller = new AbortController();
    const limit = new CallLimit(10_000, caller.signal);
    const reason = new Error('the shopper left');
    caller.abort(reason);
    expect(limit).toMatchObject({ isTimeUp: false, signal: { aborted: true } });
    expect(limit.signal.reason).toBe(reason);
    limit.release();
  });

  it('has ended when the caller gave up before', () => {
    const limit = new CallLimit(10_000, AbortSignal.abort());
    expect(limit).toMatchObject({ isTimeUp: false, signal: { aborted: true } });
    limit.release();
  });

  it('says that it was the caller, although the time was up later', async () => {
    const caller = new AbortController();
    const limit = new CallLimit(5, caller.signal);
    caller.abort();
    await delay(100);
    expect(limit).toMatchObject({ isTimeUp: false, signal: { aborted: true } });
  });

  it('holds on to nothing once it is released', async () => {
    const caller = new AbortController();
    const limit = new CallLimit(5, caller.signal);
    limit.release();
    expect(getEventListeners(caller.signal, 'abort')).toEqual([]);
    await delay(100);
    expect(limit.signal.aborted).toBe(false);
  });
});
