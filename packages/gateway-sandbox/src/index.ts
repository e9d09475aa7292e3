import '../supported-node.js';
export { startSandbox } from './start-sandbox.ts';
export type { Sandbox } from './start-sandbox.ts';
export type { SandboxOptions } from './options.ts';
export type { Policy } from './readings/readings.ts';
export { SandboxError } from './sandbox-error.ts';
export type { SandboxErrorCode } from './sandbox-error.ts';
export { ControlError, createControlClient } from './control/client.ts';
export type { ControlClient, ControlClientOptions } from './control/client.ts';
export type { Behaviour, Fidelity } from './package-files.ts';
export type {
  AdvanceReply,
  ChallengeAnswer,
  ClockReply,
  ControlCard,
  ControlMeans,
  ControlPayment,
  ControlSession,
  ControlSessionDetails,
  ControlSnapshot,
  NextOutcome,
  SandboxInfo,
  StatusRow,
  TenantInfo,
  TenantOptions,
  ControlDelivery,
  ControlEvent,
  ControlFault,
  ControlFaults,
  ControlLedger,
  DeliveryFilter,
  InvariantsReply,
  LedgerFilter,
  ReplayRequest,
  RequestFilter,
  Verification,
  VerifyReply,
} from './control/shapes.ts';
export type { Fault, FaultKind, FaultOperation, FaultPlace } from './faults.ts';
export type { ProfileName } from './faults.ts';
export type { LoggedRequest } from './request-log.ts';
