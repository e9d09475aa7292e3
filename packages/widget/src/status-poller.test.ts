import { expect } from '@open-wc/testing';
import { describe, it } from 'vitest';
import { delayMs } from './status-poller.ts';

describe('the wait between two questions', () => {
  it('grows from a second to half a minute, with a fifth of jitter', () => {
    expect(delayMs(0, 0.5)).to.equal(1_000);
    expect(delayMs(0, 0)).to.equal(800);
    expect(delayMs(0, 1)).to.be.closeTo(1_200, 1);
    expect(delayMs(2, 0.5)).to.equal(2_250);
    expect(delayMs(99, 1)).to.be.closeTo(36_000, 1);
  });
});
