import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createPublicClient, getContractAddress, http, keccak256, parseAbi, toHex, zeroHash } from 'viem'
import { ownArtifact } from '../../test/contract-deployer.ts'
import { Description } from '../../test/sandbox-fixture.ts'
import { type Sandbox, startSandbox } from '../index.ts'
import { viemChain } from './account.ts'
import { CHAIN_PLANS } from './plan.ts'

const FACTS_ABI = parseAbi([
  'function gateway() view returns (address)',
  'function chainName() view returns (bytes32)',
])

let sandbox: Sandbox
let chains: Description['chains']
before(async () => {
  sandbox = await startSandbox({ log: () => undefined, now: Date.now, withPaymentChains: false })
  const endpoint = sandbox.endpoints.find(({ path }) => path === '/sandbox')
  chains = Description.parse(await endpoint?.handle(undefined)).chains
})
after(() => sandbox.stop())

test('the factory stands at one address of every chain, and so does what it deployed, which knows its chain', async () => {
  assert.equal(new Set(chains.map(({ contracts }) => contracts.factory)).size, 1)
  const bytecodeHash = keccak256(ownArtifact('settlers/IntentSettler').bytecode)
  for (const [index, plan] of CHAIN_PLANS.entries()) {
    const { rpcUrl, contracts } = chains[index] ?? assert.fail()
    const client = createPublicClient({ chain: viemChain(plan.chainNumber, rpcUrl), transport: http(rpcUrl) })
    assert.equal(
      contracts.settler,
      getContractAddress({ opcode: 'CREATE2', from: contracts.factory, salt: zeroHash, bytecodeHash }),
    )
    const read = { address: contracts.settler, abi: FACTS_ABI } as const
    assert.equal(await client.readContract({ ...read, functionName: 'gateway' }), contracts.gateway)
    const name = await client.readContract({ ...read, functionName: 'chainName' })
    assert.equal(name, toHex(plan.axelarName, { size: 32 }))
  }
})
