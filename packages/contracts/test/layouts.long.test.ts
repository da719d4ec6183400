import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { ownArtifact } from '@openrfq/sandbox/test/contract-deployer.ts'
import { type Abi, toEventSignature, toFunctionSelector, toFunctionSignature } from 'viem'
import { z } from 'zod'
import { compileSources, readSources } from '../compile.ts'

const CONTRACTS = [
  ['factory/ContractFactory', 'ContractFactory'],
  ['settlers/IntentSettler', 'IntentSettler'],
  ['settlers/AttestedSettler', 'AttestedSettler'],
  ['settlers/Settler', 'Settler'],
  ['router/ExpressRouter', 'ExpressRouter'],
] as const

const Layout = z.object({
  storage: z.array(z.object({ label: z.string(), slot: z.string(), offset: z.number(), type: z.string() })),
})
const Pinned = z.record(
  z.string(),
  z.object({
    storage: z.array(z.string()),
    functions: z.array(z.string()),
    events: z.array(z.string()),
    errors: z.array(z.string()),
  }),
)

/** An error as clients decode it: its selector and types. */
const errorLine = ({ name, inputs }: Extract<Abi[number], { readonly type: 'error' }>): string => {
  const signature = toFunctionSignature({
    type: 'function',
    name,
    inputs,
    outputs: [],
    stateMutability: 'view',
  })
  return `${toFunctionSelector(signature)} ${signature}`
}

const layoutOf = (path: string, name: string) => {
  const sources = Object.fromEntries(
    Object.entries(readSources()).filter(([file]) => !file.startsWith('test/')),
  )
  const compiled = compileSources(sources, false, `${path}.sol`)[`${path}.sol`]?.[name]
  const { storage } = Layout.parse(compiled?.storageLayout)
  const { abi } = ownArtifact(path)
  return {
    storage: storage.map(
      ({ slot, offset, label, type }) => `${slot}.${offset} ${label} ${type.replace(/\)\d+/g, ')')}`,
    ),
    functions: abi
      .flatMap((item) =>
        item.type === 'function' ? [`${toFunctionSelector(item)} ${toFunctionSignature(item)}`] : [],
      )
      .toSorted(),
    events: abi.flatMap((item) => (item.type === 'event' ? [toEventSignature(item)] : [])).toSorted(),
    errors: abi.flatMap((item) => (item.type === 'error' ? [errorLine(item)] : [])).toSorted(),
  }
}

test('storage, functions, events and errors of the deployed contracts are those that are pinned', () => {
  const pinned = Pinned.parse(JSON.parse(readFileSync(join(import.meta.dirname, 'layouts.json'), 'utf8')))
  const found = Object.fromEntries(CONTRACTS.map(([path, name]) => [name, layoutOf(path, name)]))
  assert.deepEqual(found, pinned)
})
