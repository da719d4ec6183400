import { evmChainNumberOf, RfqError } from '@openrfq/sdk'
import { createMutex } from 'openrfq/lib/mutex'
import { createPublicClient, createWalletClient, encodeFunctionData, erc20Abi, http, zeroAddress } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { viemChain } from './deploy/account.ts'
import type { Hex, SandboxChain } from './deployment-types.ts'
import { DEPLOYER } from './keys.ts'

/** Sends base units of a token, or of the native asset for the zero address, and waits until they arrive. */
export type SandboxFaucet = (token: Hex, recipient: Hex, amount: bigint) => Promise<void>

const TIMEOUT_MS = 10_000
const POLL_MS = 50
const GAS = 300_000n
/** Native asset kept for the faucet's gas: one whole unit. */
const RESERVE = 10n ** 18n

/**
 * A faucet that pays from the deployer's supply on one chain. Throws RfqError AMOUNT_OUT_OF_RANGE when the supply is
 * too small, INVALID_REQUEST when the transfer reverts, and Error when it is not mined within ten seconds.
 */
export const createSandboxFaucet = ({ chainId, rpcUrl }: SandboxChain): SandboxFaucet => {
  const account = privateKeyToAccount(DEPLOYER.privateKey)
  const chain = viemChain(Number(evmChainNumberOf(chainId)), rpcUrl)
  const options = { chain, transport: http(rpcUrl, { retryCount: 1, timeout: TIMEOUT_MS }) }
  const client = createPublicClient(options)
  const wallet = createWalletClient({ ...options, account })
  const inTurn = createMutex()

  const supplyOf = (token: Hex): Promise<bigint> =>
    token === zeroAddress
      ? client
          .getBalance({ address: account.address })
          .then((balance) => (balance > RESERVE ? balance - RESERVE : 0n))
      : client.readContract({
          address: token,
          abi: erc20Abi,
          functionName: 'balanceOf',
          args: [account.address],
        })

  const submit = async (token: Hex, recipient: Hex, amount: bigint): Promise<Hex> => {
    const nonce = await client.getTransactionCount({ address: account.address, blockTag: 'pending' })
    if (token === zeroAddress)
      return wallet.sendTransaction({ to: recipient, value: amount, gas: GAS, nonce })
    const transfer = encodeFunctionData({
      abi: erc20Abi,
      functionName: 'transfer',
      args: [recipient, amount],
    })
    return wallet.sendTransaction({ to: token, data: transfer, gas: GAS, nonce })
  }

  return async (token, recipient, amount) => {
    const supply = await supplyOf(token)
    if (amount > supply)
      throw new RfqError('AMOUNT_OUT_OF_RANGE', `the faucet holds ${supply} base units, not ${amount}`, {
        maximum: supply.toString(),
      })
    const hash = await inTurn(() => submit(token, recipient, amount))
    const receipt = await client.waitForTransactionReceipt({
      hash,
      pollingInterval: POLL_MS,
      timeout: TIMEOUT_MS,
    })
    if (receipt.status !== 'success')
      throw new RfqError('INVALID_REQUEST', `${recipient} cannot receive the token: the transfer reverts`, {
        field: 'address',
        txHash: hash,
      })
  }
}
