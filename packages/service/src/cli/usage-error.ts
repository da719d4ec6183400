/** The command line is wrong; the message names what was given and what was expected. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'UsageError'
  }
}
