import { Address, StrKey, xdr } from '@stellar/stellar-sdk/base'
import { assetContractOf, NATIVE } from '../asset-name.ts'
import { fundsOf, roomFor } from '../balances.ts'
import { findAccount, findTrustline } from '../entry-view.ts'
import { ledgerKeyOf } from '../entry-xdr.ts'
import { type AssetTransfer, assetTransferOf } from '../operations/invoke-contract.ts'
import type { SimulatedStellar } from '../simulated-stellar.ts'
import { readAssetContract, readTokenService, TOKEN_SERVICE_CONTRACT } from '../token-service.ts'
import { EnvelopeParameters, parseParameters } from './parameters.ts'
import { RPC_CODES, RpcFault } from './rpc-fault.ts'

/** A transfer's resources, in the network's order of magnitude; the sandbox charges the whole fee. */
const RESOURCES = { instructions: 500_000, diskReadBytes: 1000, writeBytes: 1000 } as const
const RESOURCE_FEE = 20_000n

const invocationIn = (text: string): xdr.HostFunction | undefined => {
  let envelope: xdr.TransactionEnvelope
  try {
    envelope = xdr.TransactionEnvelope.fromXdr(text, 'base64')
  } catch {
    throw new RpcFault(RPC_CODES.invalidParameters, 'invalid_xdr')
  }
  const transaction =
    envelope.type === 'envelopeTypeTxFeeBump' ? envelope.feeBump.tx.innerTx.v1.tx : envelope.value.tx
  const [operation, ...others] = transaction.operations
  if (operation?.body.type !== 'invokeHostFunction' || others.length > 0) return undefined
  return operation.body.invokeHostFunctionOp.hostFunction
}

/** The reason the transfer would be trapped now. */
const faultOf = (
  ledger: SimulatedStellar,
  { from, to, asset, amount }: AssetTransfer,
): string | undefined => {
  if (amount < 0n) return 'a negative amount'
  if (fundsOf(ledger, from, asset) < amount) return `${from} cannot pay ${amount} of ${asset}`
  if (findAccount(ledger, to) === undefined) return `${to} is no account`
  if (roomFor(ledger, to, asset) < amount) return `${to} cannot receive ${amount} of ${asset}`
  return undefined
}

const footprintOf = (
  ledger: SimulatedStellar,
  { from, to, asset }: AssetTransfer,
  networkPassphrase: string,
): xdr.LedgerFootprint => {
  const instance = xdr.LedgerKey.contractData(
    new xdr.LedgerKeyContractData({
      contract: new Address(assetContractOf(asset, networkPassphrase)).toScAddress(),
      key: xdr.ScVal.scvLedgerKeyContractInstance(),
      durability: xdr.ContractDataDurability.persistent,
    }),
  )
  const touched = [...new Set([from, to])].flatMap(
    (address) =>
      (asset === NATIVE ? findAccount(ledger, address) : findTrustline(ledger, address, asset)) ?? [],
  )
  return new xdr.LedgerFootprint({ readOnly: [instance], readWrite: touched.map(ledgerKeyOf) })
}

const authorizationOf = (invokeContract: xdr.InvokeContractArgs): xdr.SorobanAuthorizationEntry =>
  new xdr.SorobanAuthorizationEntry({
    credentials: xdr.SorobanCredentials.sorobanCredentialsSourceAccount(),
    rootInvocation: new xdr.SorobanAuthorizedInvocation({
      function: xdr.SorobanAuthorizedFunction.sorobanAuthorizedFunctionTypeContractFn(invokeContract),
      subInvocations: [],
    }),
  })

/** The value of a call that only reads; undefined for another call. */
const readOf = (
  { contracts }: SimulatedStellar,
  networkPassphrase: string,
  call: xdr.HostFunction,
): xdr.ScVal | undefined => {
  if (call.type !== 'hostFunctionTypeInvokeContract') return undefined
  const { contractAddress, functionName, args } = call.invokeContract
  if (contractAddress.type !== 'scAddressTypeContract') return undefined
  const contract = StrKey.encodeContract(contractAddress.contractId.value)
  const name = functionName.toString()
  if (contract === TOKEN_SERVICE_CONTRACT)
    return readTokenService(contracts.tokenService, name, args, (asset) =>
      assetContractOf(asset, networkPassphrase),
    )
  const asset = contracts.assetOf(contract)
  return asset === undefined ? undefined : readAssetContract(name, asset)
}

/**
 * simulateTransaction: the value of a read, the resources of an asset contract's `transfer` between accounts; an error for any other call.
 */
export const simulateTransaction = (
  ledger: SimulatedStellar,
  networkPassphrase: string,
  parameters: unknown,
) => {
  const { transaction } = parseParameters(EnvelopeParameters, parameters)
  const latestLedger = ledger.history.latest().sequence
  const call = invocationIn(transaction)
  const value = call === undefined ? undefined : readOf(ledger, networkPassphrase, call)
  if (value !== undefined)
    return {
      minResourceFee: RESOURCE_FEE.toString(),
      events: [],
      results: [{ auth: [], xdr: value.toXdr('base64') }],
      latestLedger,
    }
  const transfer = call === undefined ? undefined : assetTransferOf(call, ledger.contracts)
  if (call?.type !== 'hostFunctionTypeInvokeContract' || transfer === undefined)
    return {
      error: 'the sandbox runs no contract but `transfer` of its assets between accounts',
      events: [],
      latestLedger,
    }
  const fault = faultOf(ledger, transfer)
  if (fault !== undefined) return { error: `the transfer would fail: ${fault}`, events: [], latestLedger }
  const data = new xdr.SorobanTransactionData({
    ext: xdr.SorobanTransactionDataExt.v0(),
    resources: new xdr.SorobanResources({
      footprint: footprintOf(ledger, transfer, networkPassphrase),
      ...RESOURCES,
    }),
    resourceFee: RESOURCE_FEE,
  })
  return {
    transactionData: data.toXdr('base64'),
    minResourceFee: RESOURCE_FEE.toString(),
    events: [],
    results: [
      {
        auth: [authorizationOf(call.invokeContract).toXdr('base64')],
        xdr: xdr.ScVal.scvVoid().toXdr('base64'),
      },
    ],
    latestLedger,
  }
}
