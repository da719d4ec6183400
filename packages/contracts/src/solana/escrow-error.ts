/** The program's errors by their number: `Custom(number)` in a failed transaction. */
const ESCROW_ERRORS = {
  6000: 'InvalidInstruction',
  6001: 'WrongAccountCount',
  6002: 'MissingSignature',
  6003: 'WrongProgram',
  6004: 'WrongOrder',
  6005: 'OrderExists',
  6006: 'OrderNotOpen',
  6007: 'WrongParty',
  6008: 'ZeroAmount',
  6009: 'InvalidDeadlines',
  6010: 'OpenDeadlinePassed',
  6011: 'WrongMint',
  6012: 'UnsupportedExtension',
  6013: 'WrongVault',
  6014: 'WrongDeposit',
  6015: 'WrongDestination',
  6016: 'NotAttested',
  6017: 'RefundTooEarly',
  6018: 'CloseTooEarly',
  6019: 'UnsupportedRent',
} as const satisfies Record<number, string>

/** The name of an error of the program. */
export type EscrowError = (typeof ESCROW_ERRORS)[keyof typeof ESCROW_ERRORS]

const NAMES: ReadonlyMap<number, EscrowError> = new Map(
  Object.entries(ESCROW_ERRORS).map(([number, name]) => [Number(number), name]),
)

/** The error with this number; undefined for a number of another program. */
export const escrowErrorOf = (number: number): EscrowError | undefined => NAMES.get(number)
