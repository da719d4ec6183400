import assert from 'node:assert/strict'
import { test } from 'node:test'
import solc from 'solc'
import { z } from 'zod'
import { readSources } from '../compile.ts'

/** What must be documented, by the compiler's name of its kind. */
const KINDS = new Set([
  'ContractDefinition',
  'FunctionDefinition',
  'EventDefinition',
  'ErrorDefinition',
  'StructDefinition',
  'EnumDefinition',
  'ModifierDefinition',
])

type Node = {
  readonly nodeType: string
  readonly name?: string | undefined
  readonly documentation?: unknown
  readonly nodes?: readonly Node[] | undefined
}
const Node: z.ZodType<Node> = z.looseObject({
  nodeType: z.string(),
  name: z.string().optional(),
  documentation: z.unknown().optional(),
  get nodes() {
    return z.array(Node).optional()
  },
})
const Output = z.object({ sources: z.record(z.string(), z.object({ ast: Node })) })

const undocumented = (
  path: string,
  { nodeType, name = '', documentation, nodes = [] }: Node,
): readonly string[] => [
  ...(KINDS.has(nodeType) && (documentation ?? null) === null ? [`${path}: ${nodeType} ${name}`] : []),
  ...nodes.flatMap((node) => undocumented(path, node)),
]

test('every contract, function, event, error and struct that is deployed on real chains says what it is', () => {
  const sources = Object.fromEntries(
    Object.entries(readSources()).filter(([file]) => /^(factory|settlers|router)\//.test(file)),
  )
  const settings = { stopAfter: 'parsing', outputSelection: { '*': { '': ['ast'] } } }
  const answer = Output.parse(
    JSON.parse(solc.compile(JSON.stringify({ language: 'Solidity', sources, settings }))),
  )
  const files = Object.entries(answer.sources)
  assert.equal(files.length, Object.keys(sources).length)
  assert.deepEqual(
    files.flatMap(([path, { ast }]) => undocumented(path, ast)),
    [],
  )
})
