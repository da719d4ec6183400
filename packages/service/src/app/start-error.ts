/** The process cannot start for a reason outside its configuration; the message is one line that ends with the fix. */
export class StartError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'StartError'
  }
}
