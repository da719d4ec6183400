import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createPublicClient, getContractAddress, http, keccak256, parseAbi, toHex, zeroHash } from 'viem'
import { ownArtifact } from '../../test/contract-deployer.ts'
import { Description } from '../../test/sandbox-fixture.ts'
import { type Sandbox, startSandbox } from '../index.ts'
import { TWIN_DEPLOYER } from '../keys.ts'
import { createAccount, viemChain } from './account.ts'
import { deployTwin } from './contract-factory.ts'
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

test('the factory stands at one address of every chain, and so does what it deploys, which knows its chain', async () => {
  assert.equal(new Set(chains.map(({ contracts }) => contracts.factory)).size, 1)
  const settler = ownArtifact('settlers/IntentSettler')
  for (const [index, plan] of CHAIN_PLANS.entries()) {
    const { rpcUrl, contracts, exchange } = chains[index] ?? assert.fail()
    const chain = viemChain(plan.chainNumber, rpcUrl)
    const client = createPublicClient({ chain, transport: http(rpcUrl), cacheTime: 0 })
    const nonce = await client.getTransactionCount({ address: TWIN_DEPLOYER.address })
    const twinDeployer = createAccount(plan.chainNumber, rpcUrl, TWIN_DEPLOYER.privateKey, nonce)
    const site = { plan, client, twinDeployer }
    const deployed = await deployTwin(site, contracts.factory, settler, { axelar: contracts, exchange })
    const bytecodeHash = keccak256(settler.bytecode)
    assert.equal(
      deployed,
      getContractAddress({ opcode: 'CREATE2', from: contracts.factory, salt: zeroHash, bytecodeHash }),
    )
    const read = { address: deployed, abi: FACTS_ABI } as const
    assert.equal(await client.readContract({ ...read, functionName: 'gateway' }), contracts.gateway)
    const name = await client.readContract({ ...read, functionName: 'chainName' })
    assert.equal(name, toHex(plan.axelarName, { size: 32 }))
  }
})
