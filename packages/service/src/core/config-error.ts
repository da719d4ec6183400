/** The operator's configuration is wrong; the message names the variable or field and what was expected. */
export class ConfigError extends Error {
  readonly code = 'CONFIGURATION'
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'ConfigError'
  }
}
