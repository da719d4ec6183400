// Asks axelarjs-sdk for a fee estimate or a message's status, with its hosts replaced by a sandbox's facade: requests to any
// other host fail. Words: the facade's URL, then `fee <source> <destination>` or `status <transaction hash>`.
const [facade, question, ...words] = process.argv.slice(2)

const HOSTS = new Set([
  'testnet.api.gmp.axelarscan.io',
  'testnet.api.axelarscan.io',
  'axelar-testnet.s3.us-east-2.amazonaws.com',
])

const fetchPath = require.resolve('cross-fetch')
const { fetch: crossFetch, ...others } = require(fetchPath)
const redirected = (address, options) => {
  const { host, pathname, search } = new URL(address)
  if (!HOSTS.has(host)) throw new Error(`the SDK asks ${host}, which the sandbox does not play`)
  return crossFetch(new URL(pathname + search, facade), options)
}
require.cache[fetchPath].exports = Object.assign(redirected, others, {
  fetch: redirected,
  default: redirected,
})

const { AxelarGMPRecoveryAPI, AxelarQueryAPI, Environment } = require('@axelar-network/axelarjs-sdk')
const environment = Environment.TESTNET

const askFee = async ([sourceChain, destinationChain]) => {
  const query = new AxelarQueryAPI({ environment })
  const gasLimit = 700_000
  return {
    its: await query.estimateITSFee({ sourceChain, destinationChain, event: 'InterchainTransfer' }),
    hop: await query.estimateGasFee(sourceChain, destinationChain, gasLimit),
    hops: await query.estimateMultihopFee([
      { sourceChain, destinationChain: 'axelar', gasLimit: '400000' },
      { sourceChain: 'axelar', destinationChain, gasLimit: `${gasLimit}` },
    ]),
  }
}

const askStatus = ([txHash]) => new AxelarGMPRecoveryAPI({ environment }).queryTransactionStatus(txHash)

const answer = question === 'fee' ? askFee(words) : askStatus(words)
answer.then((result) => console.log(JSON.stringify(result)))
