import { concat, type Hex, keccak256, numberToHex, size, slice, toFunctionSelector } from 'viem'
import type { SandboxChain } from './deployment-types.ts'
import { postRpc } from './rpc-call.ts'

/** What a paused gateway refuses. Source: axelar-gmp-sdk-solidity 6.2.0, `AxelarAmplifierGateway`, and its consensus namesakes. */
const REFUSED = [
  'callContract(string,string,bytes)',
  'callContractWithToken(string,string,bytes,string,uint256)',
  'validateContractCall(bytes32,string,string,bytes32)',
  'validateContractCallAndMint(bytes32,string,string,bytes32,string,uint256)',
  'validateMessage(string,string,string,bytes32)',
].map((signature) => toFunctionSelector(`function ${signature}`))
const PAUSED = toFunctionSelector('function paused()')
const PAUSE_ERROR = slice(keccak256(new TextEncoder().encode('Pause()')), 0, 4)

/** Jumps to a place of the code, below, if the selector on the stack is this one. */
const JUMP_BYTES = 11
const jumpTo = (selector: Hex, place: number): Hex =>
  concat(['0x8063', selector, '0x1461', numberToHex(place, { size: 2 }), '0x57'])

/** Loads the selector of the call. */
const HEAD = '0x60003560e01c'
/** Code of a gateway that is paused: it refuses what a paused one refuses, and delegates the rest to its former code. */
const pausedCode = (former: Hex): Hex => {
  const jumps = HEAD.length / 2 - 1 + (REFUSED.length + 1) * JUMP_BYTES
  const delegate = (success: number): Hex =>
    concat([
      '0x366000600037',
      '0x60006000366000',
      '0x73',
      former,
      '0x5af4',
      '0x3d600060003e',
      '0x61',
      numberToHex(success, { size: 2 }),
      '0x57',
      '0x3d6000fd',
    ])
  const success = jumps + size(delegate(0))
  const ending: Hex = '0x5b3d6000f3'
  const refuse = success + size(ending)
  const refusing: Hex = concat(['0x5b63', PAUSE_ERROR, '0x60e01b60005260046000fd'])
  const paused = refuse + size(refusing)
  return concat([
    HEAD,
    ...REFUSED.map((selector) => jumpTo(selector, refuse)),
    jumpTo(PAUSED, paused),
    delegate(success),
    ending,
    refusing,
    '0x5b600160005260206000f3',
  ])
}

/** Where the code of a gateway is kept while it is paused. */
const keptAt = ({ gateway }: SandboxChain): Hex => slice(keccak256(gateway), 12)

/** Pauses a chain's gateway, or ends the pause: gateways of the sandbox have no pause of their own, so their code is replaced. */
export const setGatewayPaused = async (chain: SandboxChain, isPaused: boolean): Promise<void> => {
  const { rpcUrl, gateway } = chain
  const former = keptAt(chain)
  const [code, kept] = await Promise.all(
    [gateway, former].map((account) => postRpc(rpcUrl, 'eth_getCode', [account, 'latest'])),
  )
  const replacement = pausedCode(former)
  if (isPaused === (code === replacement)) return
  if (isPaused) await postRpc(rpcUrl, 'anvil_setCode', [former, code])
  await postRpc(rpcUrl, 'anvil_setCode', [gateway, isPaused ? replacement : kept])
}
