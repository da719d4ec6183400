import assert from 'node:assert/strict'
import type { Recovery, RecoveryAnswer, RecoveryKind } from '@openrfq/sdk'
import { eventually } from 'openrfq/test/eventually.ts'
import {
  balanceOf,
  chainClients,
  fetchJson,
  follow,
  sendAction,
  type WireQuote,
  type WireStatus,
} from 'openrfq/test/wallet.ts'
import type { Hex } from 'viem'
import { accountAt, type SandboxService } from './sandbox-service.ts'

/** Neither sends nor receives a transfer that turns late. */
export const STRANGER = 8

/** What an account may sign to move a transfer on. */
export const recoveriesOf = async (world: SandboxService, quoteId: string, account: string) => {
  const query = new URLSearchParams({ quoteId, account })
  const { body } = await fetchJson<RecoveryAnswer>(`${world.service.url}/v1/rfq/recovery?${query}`)
  return body.recoveries
}

type Actions = { readonly kind: Recovery['kind']; readonly actions: WireQuote['actions'] }

/** The recovery of a kind, once it is offered to an account. */
export const offered = async (
  world: SandboxService,
  quoteId: string,
  kind: RecoveryKind,
  account: string,
): Promise<Actions> => {
  let seen = ''
  const recovery = await eventually(
    () => `${kind} is offered: ${seen}`,
    async () => {
      const recoveries = await recoveriesOf(world, quoteId, account)
      seen = JSON.stringify(recoveries)
      return recoveries.find((one) => one.kind === kind)
    },
  )
  // CAST: an EVM account gets EVM transactions.
  return recovery as unknown as Actions
}

/** Signs the recovery of a kind, as the stranger unless another is named, once it is offered; paying less if told so. */
export const recover = async (
  world: SandboxService,
  quoteId: string,
  kind: RecoveryKind,
  { by = STRANGER, value }: { readonly by?: number; readonly value?: string } = {},
): Promise<void> => {
  const { address, privateKey } = accountAt(world, by)
  const { actions } = await offered(world, quoteId, kind, address)
  for (const action of actions) {
    const payload = value === undefined ? action.payload : { ...action.payload, value }
    const hash = await sendAction(world.sandbox, { ...action, payload }, privateKey)
    const { reader } = chainClients(world.sandbox, action.chain)
    assert.equal((await reader.waitForTransactionReceipt({ hash })).status, 'success')
  }
}

/** Follows a transfer to DONE, and compares what it says with what the recipient got. */
export const isDelivered = async (world: SandboxService, quote: WireQuote, recipient: Hex): Promise<void> => {
  const { last } = await follow(world.service.url, { quoteId: quote.quoteId })
  const credited = await balanceOf(world.sandbox, quote.output, recipient)
  assert.equal(last.output?.amount, credited.toString())
  assert.ok(credited >= BigInt(quote.output.minimumAmount))
}

/** Whether a status is at a stage. */
export const isAt =
  (stage: string) =>
  ({ details }: WireStatus): boolean =>
    details['stage'] === stage
