/** What went wrong on the way to the service: nobody answered, nobody answered in time, or the answer was not in shape. */
export type FaultKind = 'unreachable' | 'deadline' | 'malformed'

/** A request that got no usable answer; it says nothing about the transfer. Errors the service itself reports are `RfqError`. */
export class ServiceFault extends Error {
  readonly kind: FaultKind
  /** Whether asking the same again may work. */
  readonly transient: boolean
  constructor(kind: FaultKind, message: string, transient: boolean, options?: ErrorOptions) {
    super(message, options)
    this.name = 'ServiceFault'
    this.kind = kind
    this.transient = transient
  }
}
