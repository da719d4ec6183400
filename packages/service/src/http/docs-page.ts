import { createHash } from 'node:crypto'
import type { ErrorCode } from '@openrfq/sdk'
import { DOCS_STYLE } from './docs-style.ts'
import { ERROR_STATUS } from './error-status.ts'
import { answerExamples } from './openapi/examples.ts'
import {
  COMPONENT_PREFIX,
  type DescribedSchemas,
  describeSchemas,
  type JsonSchema,
  type Parameter,
} from './openapi/json-schemas.ts'
import { OPERATIONS, type Operation } from './operations.ts'

const INTERFACE = OPERATIONS.filter(({ tag }) => tag === 'quotes')

/** What the documentation page may load: its own style and nothing else, from nowhere. */
export const DOCS_POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256')
  .update(DOCS_STYLE)
  .digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`

/** The interface as one page of HTML without scripts, made from what `openapi.json` is made from. */
export const docsPage = (): string => {
  const schemas = describeSchemas()
  const answered = Object.entries(schemas.components)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>OpenRFQ: the interface</title>
<style>${DOCS_STYLE}</style>
</head>
<body>
<div class="page">
${navigation(answered.map(([name]) => name))}
<main>
${INTRODUCTION}
${INTERFACE.map((operation) => section(operation, schemas)).join('')}
<h2 id="objects">Objects</h2>
${answered.map(([name, schema]) => objectSection(name, schema)).join('')}
</main>
</div>
</body>
</html>
`
}

const INTRODUCTION = `<h1>OpenRFQ</h1>
<p>Ask once, get executable cross-chain quotes, sign their actions with your own wallet, and follow the transfer to the end.</p>
<p class="note">For machines: <a href="/openapi.json">openapi.json</a> (OpenAPI 3.1). For operators: <a href="/healthz">healthz</a>, <a href="/readyz">readyz</a>, <a href="/metrics">metrics</a>.</p>
<h3>Conventions</h3>
<div class="scroll"><table>
<tr><td>Chains</td><td>CAIP-2 identifiers such as <code>eip155:1</code>.</td></tr>
<tr><td>Tokens</td><td>The chain’s own address; the native token of an EVM chain is the zero address.</td></tr>
<tr><td>Amounts</td><td>Strings holding integers in base units.</td></tr>
<tr><td>Timestamps</td><td>ISO 8601 in UTC.</td></tr>
<tr><td>Limits</td><td>Every answer of these endpoints carries <code>ratelimit-limit</code>, <code>ratelimit-remaining</code> and <code>ratelimit-reset</code> (seconds); a 429 adds <code>retry-after</code>.</td></tr>
<tr><td>Support</td><td>Every answer carries <code>x-request-id</code>; send your own to find a request again.</td></tr>
<tr><td>Credentials</td><td>None.</td></tr>
</table></div>`

const navigation = (names: readonly string[]): string => `<nav aria-label="Contents">
<strong>Endpoints</strong>
${INTERFACE.map(({ operationId, summary }) => `<a href="#${operationId}">${html(summary)}</a>`).join('\n')}
<strong>Objects</strong>
${names.map((name) => `<a href="#${name}">${name}</a>`).join('\n')}
</nav>`

const section = (operation: Operation, { components, parameters }: DescribedSchemas): string => {
  const query = operation.query === undefined ? [] : parameters[operation.query]
  const body = operation.body === undefined ? undefined : components[operation.body]
  const examples = Object.values(answerExamples(operation.operationId, 200))
  return `<h2 id="${operation.operationId}">${html(operation.summary)}</h2>
<div class="address"><span class="method ${operation.method.toLowerCase()}">${operation.method}</span><code>${operation.path}</code></div>
<p>${html(operation.description)}</p>
${query.length === 0 ? '' : `<h3>Query</h3>${parameterTable(query)}`}
${body === undefined ? '' : `<h3>Body</h3>${fieldTable(body, 'required')}`}
<h3>Answer</h3>
${Object.values(operation.answers)
  .map(
    ({ description, content }) =>
      `<p>${html(description)} ${'schema' in content ? linkTo(content.schema) : ''}</p>`,
  )
  .join('')}
<h3>Example</h3>
${examples.map((example) => `<pre><code>${html(JSON.stringify(example, null, 2))}</code></pre>`).join('')}
<h3>Errors</h3>
${errorTable(operation.errors)}
`
}

const linkTo = (name: string): string => `<a href="#${name}">${name}</a>`

const table = (heads: readonly string[], rows: readonly (readonly string[])[]): string =>
  `<div class="scroll"><table><thead><tr>${heads.map((head) => `<th scope="col">${head}</th>`).join('')}</tr></thead><tbody>${rows
    .map((cells) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`)
    .join('\n')}</tbody></table></div>`

const parameterTable = (parameters: readonly Parameter[]): string =>
  table(
    ['Parameter', 'Type', '', 'Meaning'],
    parameters.map(({ name, schema, required, description }) => [
      `<code>${name}</code>`,
      typeOf(schema),
      required ? 'required' : '',
      html(description),
    ]),
  )

const errorTable = (errors: Operation['errors']): string => {
  // CAST: the keys of a record by ErrorCode, which Object.entries forgets.
  const entries = Object.entries(errors) as [ErrorCode, string][]
  return table(
    ['Status', 'Code', 'When'],
    entries.map(([code, condition]) => [String(ERROR_STATUS[code]), `<code>${code}</code>`, html(condition)]),
  )
}

/** The fields of an object, `presence` marking those it never lacks; those of objects inside it named by their way: `options.approvalMode`. */
const rowsOf = (schema: JsonSchema, presence: string, prefix: string): readonly (readonly string[])[] =>
  Object.entries(schema.properties ?? {}).flatMap(([name, field]) => [
    [
      `<code>${html(prefix + name)}</code>`,
      typeOf(field),
      schema.required?.includes(name) === true ? presence : '',
      html(field.description ?? ''),
    ],
    ...rowsOf(field, presence, `${prefix}${name}.`),
  ])

const fieldTable = (schema: JsonSchema, presence: 'required' | 'always'): string =>
  table(['Field', 'Type', '', 'Meaning'], rowsOf(schema, presence, ''))

const objectSection = (name: string, schema: JsonSchema): string => `<h3 id="${name}">${name}</h3>
${schema.description === undefined ? '' : `<p>${html(schema.description)}</p>`}
${schema.properties === undefined ? `<p>${typeOf(schema)}</p>` : fieldTable(schema, 'always')}
`

/** A type in a few words, with links to the objects it names. */
const typeOf = (schema: JsonSchema): string => {
  const choices = schema.anyOf ?? schema.oneOf
  if (schema.$ref !== undefined) {
    const name = schema.$ref.slice(COMPONENT_PREFIX.length)
    return `<a href="#${name}">${name}</a>`
  }
  if (choices !== undefined) return [...new Set(choices.map(typeOf))].join(' or ')
  if (schema.items !== undefined) return `array of ${typeOf(schema.items)}`
  const values = schema.enum ?? (schema.const === undefined ? undefined : [schema.const])
  if (values !== undefined) return values.map((value) => `<code>${html(String(value))}</code>`).join(' ')
  return `<span class="type">${schema.type ?? 'any'}</span>`
}

const html = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
