import '../supported-node.js';
export { memoryStore } from './stores/memory-store.ts';
export { storeConformance } from './stores/conformance/conformance.ts';
export type { ConformanceCase } from './stores/conformance/case.ts';
export { faultyStore, type Faults } from './doubles/faulty-store.ts';
export { manualClock, type ManualClock } from './doubles/manual-clock.ts';
