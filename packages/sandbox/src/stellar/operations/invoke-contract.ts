import { createHash } from 'node:crypto'
import { StrKey, scValToBigInt, xdr } from '@stellar/stellar-sdk/base'
import { addressOf } from '../address.ts'
import type { AssetContracts } from '../asset-contracts.ts'
import { muxedIdOf } from '../asset-events.ts'
import type { AssetName } from '../asset-name.ts'
import { credit, debit } from '../balances.ts'
import type { ApplyOperation, OperationContext } from '../operation-context.ts'
import { TOKEN_SERVICE_CONTRACT } from '../token-service.ts'
import { executeMessage } from './execute-message.ts'

type Fact = Parameters<OperationContext['tell']>[0]

/** A `transfer` call of an asset contract between two accounts. */
export type AssetTransfer = {
  readonly asset: AssetName
  readonly from: string
  readonly to: string
  readonly muxedId: bigint | undefined
  readonly amount: bigint
}

const accountIn = (
  value: xdr.ScVal | undefined,
): { readonly address: string; readonly muxedId: bigint | undefined } | undefined => {
  if (value?.type !== 'scvAddress') return undefined
  const { address } = value
  if (address.type === 'scAddressTypeAccount')
    return { address: addressOf(address.accountId), muxedId: undefined }
  if (address.type !== 'scAddressTypeMuxedAccount') return undefined
  const { ed25519, id } = address.muxedAccount
  return { address: StrKey.encodeEd25519PublicKey(ed25519.value), muxedId: id }
}

/** Decodes a transfer call; undefined for any other call, which the sandbox cannot run. Source: SEP-41, CAP-67. */
export const assetTransferOf = (
  body: xdr.HostFunction,
  { assetOf }: Pick<AssetContracts, 'assetOf'>,
): AssetTransfer | undefined => {
  if (body.type !== 'hostFunctionTypeInvokeContract') return undefined
  const { contractAddress, functionName, args } = body.invokeContract
  if (contractAddress.type !== 'scAddressTypeContract' || functionName.toString() !== 'transfer')
    return undefined
  const asset = assetOf(StrKey.encodeContract(contractAddress.contractId.value))
  const [from, to, amount] = [accountIn(args[0]), accountIn(args[1]), args[2]]
  const complete = args.length === 3 && from !== undefined && to !== undefined
  if (asset === undefined || !complete || amount?.type !== 'scvI128' || from.muxedId !== undefined)
    return undefined
  return { asset, from: from.address, to: to.address, muxedId: to.muxedId, amount: scValToBigInt(amount) }
}

const answer = (result: xdr.InvokeHostFunctionResult): xdr.OperationResult =>
  xdr.OperationResult.opInner(xdr.OperationResultTr.invokeHostFunction(result))

const trapped = (): xdr.OperationResult => answer(xdr.InvokeHostFunctionResult.invokeHostFunctionTrapped())

/** Whether the source account's authorization covers exactly this call. */
const isAuthorized = ({ auth, hostFunction }: xdr.InvokeHostFunctionOp): boolean =>
  auth.some(({ credentials, rootInvocation: { function: called } }) => {
    if (credentials.type !== 'sorobanCredentialsSourceAccount') return false
    if (called.type !== 'sorobanAuthorizedFunctionTypeContractFn') return false
    return (
      hostFunction.type === 'hostFunctionTypeInvokeContract' &&
      called.contractFn.equals(hostFunction.invokeContract)
    )
  })

const succeeded = (context: OperationContext, facts: readonly Fact[]): xdr.OperationResult => {
  for (const fact of facts) context.tell(fact)
  const preimage = new xdr.InvokeHostFunctionSuccessPreImage({
    returnValue: xdr.ScVal.scvVoid(),
    events: facts.map(context.contracts.writeEvent),
  })
  const digest = createHash('sha256').update(preimage.toXdr()).digest()
  return answer(xdr.InvokeHostFunctionResult.invokeHostFunctionSuccess(digest))
}

/** Runs `execute` of the token service, or undefined for a call of another contract. */
const invokeTokenService = (
  context: OperationContext,
  call: xdr.HostFunction,
): xdr.OperationResult | undefined => {
  if (call.type !== 'hostFunctionTypeInvokeContract') return undefined
  const { contractAddress, functionName, args } = call.invokeContract
  if (contractAddress.type !== 'scAddressTypeContract') return undefined
  if (StrKey.encodeContract(contractAddress.contractId.value) !== TOKEN_SERVICE_CONTRACT) return undefined
  const facts = functionName.toString() === 'execute' ? executeMessage(context, args) : undefined
  return facts === undefined ? trapped() : succeeded(context, facts)
}

/**
 * Runs an asset contract's `transfer` from the operation's source to an account, or the token service's `execute`; every
 * other call is trapped.
 */
export const invokeContract: ApplyOperation<xdr.InvokeHostFunctionOp> = (context, body) => {
  const served = invokeTokenService(context, body.hostFunction)
  if (served !== undefined) return served
  const { view, source, contracts } = context
  const transfer = assetTransferOf(body.hostFunction, contracts)
  if (transfer === undefined || transfer.from !== source || !isAuthorized(body)) return trapped()
  const { asset, from, to, muxedId, amount } = transfer
  if (amount < 0n) return trapped()
  if (from !== to) {
    const fault = credit(view, to, asset, amount) ?? debit(view, from, asset, amount)
    if (fault !== undefined) return trapped()
  }
  const toMuxedId = muxedIdOf(muxedId, xdr.Memo.memoNone())
  return succeeded(context, [{ kind: 'movement', from, to, asset, amount, toMuxedId }])
}
