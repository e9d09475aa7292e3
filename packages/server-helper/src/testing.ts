export { memoryStore } from './stores/memory-store.ts';
export { storeConformance, type ConformanceCase } from './stores/conformance.ts';
export { faultyStore, type Faults } from './doubles/faulty-store.ts';
export { manualClock, type ManualClock } from './doubles/manual-clock.ts';
