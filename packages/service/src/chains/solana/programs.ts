/** Programs present on every Solana cluster. Source: Agave, solana-program.com. */
export const PROGRAMS = {
  system: '11111111111111111111111111111111',
  computeBudget: 'ComputeBudget111111111111111111111111111111',
  token: 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
  token2022: 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb',
  associatedToken: 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL',
  memo: 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr',
  memoV1: 'Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo',
  memoV4: 'Memo4c2pN8afCj432Lb7RMVKi9PbQnnW7ewFFaV3oAH',
  sysvar: 'Sysvar1111111111111111111111111111111111111',
} as const

const SYSTEM_VARIABLES = [
  'SysvarC1ock11111111111111111111111111111111',
  'SysvarEpochRewards1111111111111111111111111',
  'SysvarEpochSchedu1e111111111111111111111111',
  'SysvarFees111111111111111111111111111111111',
  'Sysvar1nstructions1111111111111111111111111',
  'SysvarLastRestartS1ot1111111111111111111111',
  'SysvarRecentB1ockHashes11111111111111111111',
  'SysvarRent111111111111111111111111111111111',
  'SysvarRewards111111111111111111111111111111',
  'SysvarS1otHashes111111111111111111111111111',
  'SysvarS1otHistory11111111111111111111111111',
  'SysvarStakeHistory1111111111111111111111111',
] as const

const INCINERATOR = '1nc1nerator11111111111111111111111111111111'

/**
 * Accounts of every cluster that belong to no wallet: programs, system variables, and the account that burns lamports.
 */
export const RESERVED_ACCOUNTS: readonly string[] = [
  ...Object.values(PROGRAMS).filter((program) => program !== PROGRAMS.system),
  ...SYSTEM_VARIABLES,
  INCINERATOR,
]

/** An SPL token of the catalogue; without `splProgram` it belongs to the program `token`. */
export type SolanaMint = {
  readonly address: string
  readonly decimals: number
  readonly splProgram?: 'token' | 'token-2022' | undefined
}

/** The address of the program that owns a mint. */
export const programOf = ({ splProgram }: SolanaMint): string =>
  splProgram === 'token-2022' ? PROGRAMS.token2022 : PROGRAMS.token
