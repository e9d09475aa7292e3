/** A setting that the shop cannot start with. The message says what, why and how to fix it. */
export class SettingError extends Error {
  override readonly name = 'SettingError';
}
