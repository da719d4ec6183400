import { encodeAbiParameters, hexToBigInt, keccak256 } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { Hex, SignerSet } from '../deployment-types.ts'

/** One command of a gateway batch; `params` are ABI-encoded for the command's name. */
export type GatewayCommand = { readonly id: Hex; readonly name: string; readonly params: Hex }

const accountsOf = (signerSet: SignerSet) => signerSet.keys.map((key) => privateKeyToAccount(key))

/** The operators passed to a new gateway's auth module: abi(address[], uint256[], uint256). */
export const encodeOperators = (signerSet: SignerSet): Hex =>
  encodeAbiParameters(
    [{ type: 'address[]' }, { type: 'uint256[]' }, { type: 'uint256' }],
    [accountsOf(signerSet).map((account) => account.address), signerSet.weights, signerSet.threshold],
  )

const ascending = (signerSet: SignerSet): boolean => {
  const addresses = accountsOf(signerSet).map((account) => hexToBigInt(account.address))
  return addresses.every((address, index) => index === 0 || address > (addresses[index - 1] ?? 0n))
}

/**
 * The input of `AxelarGateway.execute`: the commands and a proof by the fewest signers that reach the threshold.
 * `chainNumber` is the EVM chain id. Throws when the keys are not in ascending order of their addresses. Source:
 * AxelarGateway.sol and AxelarAuthWeighted.sol 6.4.0.
 */
export const signGatewayBatch = async (
  signerSet: SignerSet,
  chainNumber: bigint,
  commands: readonly GatewayCommand[],
): Promise<Hex> => {
  if (!ascending(signerSet)) throw new Error('the signer set is not in ascending order of addresses')
  const data = encodeAbiParameters(
    [{ type: 'uint256' }, { type: 'bytes32[]' }, { type: 'string[]' }, { type: 'bytes[]' }],
    [
      chainNumber,
      commands.map((command) => command.id),
      commands.map((command) => command.name),
      commands.map((command) => command.params),
    ],
  )
  const raw = keccak256(data)
  const signatures: Hex[] = []
  let weight = 0n
  for (const [index, account] of accountsOf(signerSet).entries()) {
    if (weight >= signerSet.threshold) break
    signatures.push(await account.signMessage({ message: { raw } }))
    weight += signerSet.weights[index] ?? 0n
  }
  const proof = encodeAbiParameters(
    [{ type: 'address[]' }, { type: 'uint256[]' }, { type: 'uint256' }, { type: 'bytes[]' }],
    [
      accountsOf(signerSet).map((account) => account.address),
      signerSet.weights,
      signerSet.threshold,
      signatures,
    ],
  )
  return encodeAbiParameters([{ type: 'bytes' }, { type: 'bytes' }], [data, proof])
}
