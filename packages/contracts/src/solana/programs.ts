import { type Address, address } from '@solana/kit'

/** The system program. Its address is zero, which also stands for SOL among tokens. */
export const SYSTEM_PROGRAM: Address = address('11111111111111111111111111111111')

/** Source: SPL Associated Token Account. */
export const ASSOCIATED_TOKEN_PROGRAM: Address = address('ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL')
