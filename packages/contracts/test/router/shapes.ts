import { zeroAddress } from 'viem'
import { pathOf } from './site.ts'
import { type ExpressOrder, fromNative, type Side, toNative } from './world.ts'

/** Every kind of input and output: its name, its source side and the fields of its order. */
export const SHAPES: readonly (readonly [
  string,
  'a' | 'b',
  (from: Side, to: Side) => Partial<ExpressOrder>,
])[] = [
  ['the bridge token into the bridge token', 'a', () => ({})],
  ['the native asset into the bridge token', 'a', (from) => fromNative(from)],
  ['the bridge token into the native asset', 'a', (_, to) => toNative(to)],
  ['the native asset into the native asset', 'b', (from, to) => ({ ...fromNative(from), ...toNative(to) })],
  [
    'a token into a token',
    'b',
    (from, to) => ({
      inputToken: from.token,
      inputPath: pathOf(from.token, [500, from.bridge]),
      outputToken: to.token,
      outputPath: pathOf(to.bridge, [500, to.token]),
    }),
  ],
  [
    'a token into a token, over two pools each',
    'a',
    (from, to) => ({
      inputToken: from.token,
      inputPath: pathOf(from.token, [3000, from.wrapped], [3000, from.bridge]),
      outputToken: to.token,
      outputPath: pathOf(to.bridge, [3000, to.wrapped], [3000, to.token]),
    }),
  ],
  [
    'the wrapped native asset into the wrapped native asset',
    'a',
    (from, to) => ({
      inputToken: from.wrapped,
      inputPath: pathOf(from.wrapped, [3000, from.bridge]),
      outputToken: to.wrapped,
      outputPath: pathOf(to.bridge, [3000, to.wrapped]),
    }),
  ],
  [
    'the native asset that crosses itself',
    'a',
    (from, to) => ({ inputToken: zeroAddress, symbol: from.etherSymbol, outputToken: to.ether }),
  ],
  [
    'a token into the native asset that has crossed itself',
    'b',
    (from) => ({
      inputToken: from.token,
      inputPath: pathOf(from.token, [3000, from.ether]),
      symbol: from.etherSymbol,
      outputToken: zeroAddress,
    }),
  ],
]
