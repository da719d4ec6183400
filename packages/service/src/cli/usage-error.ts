/** The command line itself is wrong; the message says what was given and what was expected. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'UsageError'
  }
}
