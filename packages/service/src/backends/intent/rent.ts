import type { IntentBackend } from '@openrfq/sdk'
import type { Presentation } from '../../core/written.ts'
import { hasVault, type IntentSide } from './routes.ts'

/** Lamports for the 200 bytes of an order's account, and for a token account of at most 170 bytes. Source: Solana's rent. */
const ORDER_RENT = 2_282_880n
const VAULT_RENT = 2_074_080n
const RENT_TERMS =
  "Rent of the order's accounts, which the sender advances beside the input; it goes back to the sender when the order's account is closed, after the open deadline."

/** What the sender advances for accounts on Solana; null elsewhere. */
export const rentOf = (from: IntentSide): Presentation<IntentBackend>['metadata']['rent'] =>
  'evm' in from || hasVault(from)
    ? null
    : {
        chain: from.chain.chainId,
        token: from.nativeToken,
        amount: (from.isNative ? ORDER_RENT : ORDER_RENT + VAULT_RENT).toString(),
        terms: RENT_TERMS,
      }
