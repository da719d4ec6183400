import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type Abi, encodeDeployData, getContractAddress, type Hex, numberToHex } from 'viem'
import type { Chain } from './chain-calls.ts'

/** A contract's ABI and creation code. */
export type Artifact = { readonly abi: Abi; readonly bytecode: Hex }

/** Deploys a contract by its name among the deployer's artifacts. */
export type Deploy<Name extends string> = (name: Name, args?: readonly unknown[]) => Promise<Hex>

/** Deploys and owns everything on a chain; impersonated. */
export const DEPLOYER: Hex = '0x6000000000000000000000000000000000000006'

/** Reads an artifact. */
// CAST: artifacts of the packages and our own are files of this shape.
export const loadArtifact = (path: string): Artifact => JSON.parse(readFileSync(path, 'utf8')) as Artifact

const require = createRequire(import.meta.url)

/** Reads an artifact of @openrfq/contracts, test contracts included. */
export const ownArtifact = (name: string): Artifact =>
  loadArtifact(require.resolve(`@openrfq/contracts/artifacts/${name}.json`))

/** The address of the deployer's next deployment. */
export const nextAddress = async (chain: Chain): Promise<Hex> => {
  // CAST: anvil answers hex to eth_getTransactionCount.
  const nonce = (await chain.rpc('eth_getTransactionCount', DEPLOYER, 'latest')) as Hex
  return getContractAddress({ from: DEPLOYER, nonce: BigInt(nonce) })
}

/** Deploys artifacts by name; a deployment that reverts throws. Gas is free. */
export const createDeploy =
  <Name extends string>(chain: Chain, artifacts: Readonly<Record<Name, Artifact>>): Deploy<Name> =>
  async (name, args = []) => {
    const { abi, bytecode } = artifacts[name]
    const address = await nextAddress(chain)
    const data = encodeDeployData({ abi, bytecode, args })
    const request = { from: DEPLOYER, data, gas: numberToHex(15_000_000), gasPrice: '0x0' }
    // CAST: anvil's receipt.
    const receipt = (await chain.rpc('eth_sendTransactionSync', request)) as { readonly status: Hex }
    assert.equal(receipt.status, '0x1', `${name} was not deployed`)
    return address
  }
