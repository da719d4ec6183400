import type { Instruction } from '@solana/kit'
import { evmAddressRules } from '../src/chains/evm/address.ts'
import type { SolanaInstruction } from '../src/chains/solana/instructions.ts'
import { baseUnits } from '../src/core/amount.ts'
import type { IntentOrder, OrderId } from '../src/core/intent-order.ts'
import type { EscrowOrder } from '../src/intents/settlers/escrow-program.ts'
import { orderIdOf } from '../src/intents/settlers/settler-contract.ts'
import { addressOfKey } from '../src/transactions/signer.ts'
import { ATTESTER_KEY } from './escrow-orders.ts'
import { toKit } from './kit-instruction.ts'
import type { ClusterWallet, SolanaCluster } from './solana-cluster.ts'

/** An order with its id. */
export type ClusterOrder = EscrowOrder & { readonly orderId: OrderId }

/** Makes orders of a cluster's escrow program, each another, that open within ten minutes. */
export const orderMaker = (
  { node, mints: [usdc] }: SolanaCluster,
  depositor: ClusterWallet,
  solver: ClusterWallet,
) => {
  let salt = 0
  return (kind: 'SOL' | 'USDC', part: Partial<IntentOrder> = {}): ClusterOrder => {
    salt += 1
    const mint = kind === 'SOL' ? { address: '1'.repeat(32), decimals: 9 } : usdc
    const now = Math.floor(Date.now() / 1_000)
    const order: IntentOrder = {
      depositor: depositor.address,
      salt: `0x${salt.toString(16).padStart(64, '0')}`,
      originChain: node.chainId,
      originSettler: node.escrowProgram,
      destinationChain: 'eip155:31337',
      destinationSettler: '0x00000000000000000000000000000000000000E1',
      openDeadline: now + 600,
      fillDeadline: now + 1_200,
      refundAfter: now + 3_600,
      inputToken: mint.address,
      inputAmount: baseUnits(250_000n),
      outputToken: '0x00000000000000000000000000000000000000c1',
      outputAmount: baseUnits(10n ** 24n),
      recipient: '0x00000000000000000000000000000000000000D1',
      solver: solver.address,
      filler: '0x00000000000000000000000000000000000000F1',
      attester: evmAddressRules.parseToken(addressOfKey(ATTESTER_KEY)) ?? '',
      ...part,
    }
    return { order, mint, orderId: orderIdOf(order) }
  }
}

/** The instruction with the wallet as its signer. */
export const signedBy = (instruction: SolanaInstruction, { signer, address }: ClusterWallet): Instruction => {
  const plain = toKit(instruction)
  return {
    ...plain,
    accounts: (plain.accounts ?? []).map((account) =>
      account.address === address ? { ...account, signer } : account,
    ),
  }
}
