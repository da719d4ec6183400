import { createHash } from 'node:crypto'
import { Address, nativeToScVal, StrKey, xdr } from '@stellar/stellar-sdk/base'
import { keccak256 } from 'viem'
import { type Hex, HUB } from '../../deployment-types.ts'
import { deliveredTransfer } from '../../relayer/hub-payload.ts'
import { issuedAsset } from '../asset-name.ts'
import { credit } from '../balances.ts'
import { dataKey } from '../entries.ts'
import { RELAYER_KEY } from '../keys.ts'
import type { OperationContext } from '../operation-context.ts'
import { GATEWAY_CONTRACT, TOKEN_SERVICE_CONTRACT, textIn } from '../token-service.ts'

/** A message of the hub for the service, as a call of `execute` names it. */
type HubMessage = {
  readonly sourceChain: string
  readonly messageId: string
  readonly sourceAddress: string
  readonly payload: Hex
}

const messageIn = (values: readonly xdr.ScVal[]): HubMessage | undefined => {
  const [sourceChain, messageId, sourceAddress] = values.map(textIn)
  const payload = values[3]
  if (sourceChain === undefined || messageId === undefined || sourceAddress === undefined) return undefined
  if (payload?.type !== 'scvBytes') return undefined
  const text: Hex = `0x${Buffer.from(payload.bytes.value).toString('hex')}`
  return { sourceChain, messageId, sourceAddress, payload: text }
}

/** A transfer in the payload of a message, its recipient as text; undefined for another payload. */
const transferIn = ({ payload }: HubMessage) => {
  const transfer = deliveredTransfer(payload)
  return transfer === undefined
    ? undefined
    : { ...transfer, recipient: Buffer.from(transfer.recipient.slice(2), 'hex').toString('ascii') }
}

const bytes = (hex: Hex): xdr.ScVal => xdr.ScVal.scvBytes(Buffer.from(hex.slice(2), 'hex'))
const field = (name: string, val: xdr.ScVal): xdr.ScMapEntry =>
  new xdr.ScMapEntry({ key: xdr.ScVal.scvSymbol(name), val })

const executedEvent = (message: HubMessage) => ({
  kind: 'event' as const,
  contract: GATEWAY_CONTRACT,
  topics: [
    xdr.ScVal.scvSymbol('message_executed'),
    xdr.ScVal.scvMap([
      field('contract_address', new Address(TOKEN_SERVICE_CONTRACT).toScVal()),
      field('message_id', xdr.ScVal.scvString(message.messageId)),
      field('payload_hash', bytes(keccak256(message.payload))),
      field('source_address', xdr.ScVal.scvString(message.sourceAddress)),
      field('source_chain', xdr.ScVal.scvString(message.sourceChain)),
    ]),
  ],
  data: xdr.ScVal.scvVec([]),
})

const receivedEvent = (transfer: NonNullable<ReturnType<typeof transferIn>>) => ({
  kind: 'event' as const,
  contract: TOKEN_SERVICE_CONTRACT,
  topics: [
    xdr.ScVal.scvSymbol('interchain_transfer_received'),
    xdr.ScVal.scvString(transfer.sourceChain),
    bytes(transfer.tokenId),
    bytes(transfer.sender),
    new Address(transfer.recipient).toScVal(),
    nativeToScVal(transfer.amount, { type: 'i128' }),
  ],
  data: xdr.ScVal.scvVec([xdr.ScVal.scvVoid()]),
})

/**
 * Runs `execute` of the token service. The gateway approves what its relayer executes, each message once, and the service
 * takes messages of the hub. Returns the facts, or undefined if the call is trapped.
 */
export const executeMessage = (
  { view, source, contracts }: OperationContext,
  values: readonly xdr.ScVal[],
): readonly Parameters<OperationContext['tell']>[0][] | undefined => {
  const message = messageIn(values)
  const transfer = message === undefined ? undefined : transferIn(message)
  if (message === undefined || transfer === undefined || source !== RELAYER_KEY.address) return undefined
  if (message.sourceChain !== HUB.chain || message.sourceAddress !== HUB.address) return undefined
  const { recipient, amount, sourceChain } = transfer
  const asset = contracts.tokenService.assetOf(transfer.tokenId)
  const issuer = asset === undefined ? undefined : issuedAsset(asset)?.issuer
  if (asset === undefined || issuer === undefined || !contracts.tokenService.trusts(sourceChain))
    return undefined
  const name = createHash('sha256').update(message.messageId).digest('hex')
  if (view.find(dataKey(source, name)) !== undefined) return undefined
  if (!StrKey.isValidEd25519PublicKey(recipient) || credit(view, recipient, asset, amount) !== undefined)
    return undefined
  view.put({ kind: 'data', account: source, name, value: '01', sponsor: undefined })
  return [
    executedEvent(message),
    { kind: 'movement', from: issuer, to: recipient, asset, amount, toMuxedId: null },
    receivedEvent(transfer),
  ]
}
