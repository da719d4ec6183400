import { createHash } from 'node:crypto'
import type { ErrorCode } from '@openrfq/sdk'
import { ERROR_STATUS } from '../error-status.ts'
import { COMPONENTS } from '../openapi/components.ts'
import { type DescribedSchemas, describeSchemas, type Parameter } from '../openapi/json-schemas.ts'
import { WEBHOOK_HEADERS, WEBHOOK_MESSAGES } from '../openapi/webhooks.ts'
import type { Operation } from '../operation.ts'
import { OPERATIONS } from '../operations.ts'
import { examplesOf } from './examples.ts'
import { contentOf, fieldsOf, parameterField, type Schemas } from './fields.ts'
import { html, prose, table } from './markup.ts'
import { DOCS_STYLE } from './style.ts'
import { TRY_IT_SCRIPT, tryIt } from './try-it.ts'

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** The page's content security policy: its own style and script, and requests to this server. */
export const DOCS_POLICY = [
  "default-src 'none'",
  `style-src ${hashOf(DOCS_STYLE)}`,
  `script-src ${hashOf(TRY_IT_SCRIPT)}`,
  "connect-src 'self'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const INTERFACE = OPERATIONS.filter(({ tag }) => tag === 'quotes' || tag === 'solvers')

/** The interface as one HTML page, generated from the source of `openapi.json`. */
export const docsPage = (operations: readonly Operation[] = OPERATIONS): string => {
  const described = describeSchemas()
  const schemas: Schemas = described.components
  const lists = Object.keys(schemas).filter((name) => schemas[name]?.enum !== undefined)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>OpenRFQ: the interface</title>
<link rel="icon" href="data:,">
<style>${DOCS_STYLE}</style>
</head>
<body>
<div class="page">
${navigation(lists)}
<main>
${INTRODUCTION}
${conventions(schemas)}
${errors(schemas)}
${INTERFACE.map((operation) => section(operation, described)).join('')}
<h2 id="lists">Lists of values</h2>
<p>A list may grow within <code>/v1</code>: treat an unknown value as a case of its own.</p>
${lists.map((name) => listSection(name, schemas)).join('')}
${webhooksSection(schemas)}
${operationsSection(operations)}
</main>
</div>
<script>${TRY_IT_SCRIPT}</script>
</body>
</html>
`
}

const navigation = (lists: readonly string[]): string => `<nav aria-label="Contents">
<strong>Endpoints</strong>
${INTERFACE.map(({ operationId, summary }) => `<a href="#${operationId}">${html(summary)}</a>`).join('\n')}
<strong>Values</strong>
<a href="#conventions">Conventions</a>
<a href="#errors">Errors</a>
<a href="#lists">Lists of values</a>
${lists.map((name) => `<a class="list" href="#${name}">${name}</a>`).join('\n')}
<strong>Operators</strong>
<a href="#webhooks">Webhooks</a>
<a href="#operations">Operations</a>
</nav>`

const INTRODUCTION = `<h1>OpenRFQ</h1>
<p>Ask once, get executable cross-chain quotes, sign their actions with your own wallet, and follow the transfer to the end.</p>
<p class="note">For machines: <a href="/openapi.json">openapi.json</a> (OpenAPI 3.1).</p>`

const TEXTS = ['ChainId', 'Amount', 'Timestamp'] as const

const conventions = (schemas: Schemas): string => `<h2 id="conventions">Conventions</h2>
${table(
  ['Topic', 'Rule'],
  [
    ...TEXTS.map((name) => [
      `<code id="${name}">${name}</code>`,
      `${prose(COMPONENTS[name].description)}<br><code>${html(schemas[name]?.pattern ?? '')}</code>`,
    ]),
    ['Tokens', prose(COMPONENTS.Token.members['address'] ?? '')],
    [
      'Limits',
      'Every answer of these endpoints carries <code>ratelimit-limit</code>, <code>ratelimit-remaining</code> and <code>ratelimit-reset</code> (seconds); a 429 adds <code>retry-after</code>.',
    ],
    ['Support', 'Every answer carries <code>x-request-id</code>; send your own to find a request again.'],
    ['Credentials', 'None.'],
  ],
)}`

const errors = (schemas: Schemas): string => `<h2 id="errors">Errors</h2>
<p>${prose(COMPONENTS.ErrorBody.description)}</p>
${contentOf(schemas, 'ErrorBody', 'always')}`

const section = (operation: Operation, { components, parameters }: DescribedSchemas): string => {
  const query = operation.query === undefined ? [] : parameters[operation.query]
  const { operationId, method, path, body } = operation
  return `<h2 id="${operationId}">${html(operation.summary)}</h2>
<p class="address"><span class="method ${method.toLowerCase()}">${method}</span> <code>${path}</code></p>
<p>${prose(operation.description)}</p>
${query.length === 0 ? '' : `<h3>Query</h3>${query.map((one) => parameterField(components, one)).join('')}`}
${body === undefined ? '' : `<h3>Body</h3><p>${prose(COMPONENTS[body].description)}</p>${fieldsOf(components, components[body], 'required')}`}
<h3>Answer</h3>
${answerFields(operation, components)}
<h3>Errors</h3>
${errorTable(operation.errors)}
${isStream(operation) ? streamExample(operation) : recordedExamples(operation, query)}
`
}

const recordedExamples = (operation: Operation, query: readonly Parameter[]): string => `<h3>Examples</h3>
<p class="note">Recorded from a sandbox.</p>
${examplesOf(operation)}
<h3>Try it</h3>
${tryIt(operation, query)}`

const isStream = ({ answers }: Operation): boolean =>
  Object.values(answers).some(
    ({ content }) => content !== undefined && 'type' in content && content.type === 'text/event-stream',
  )

const streamExample = (operation: Operation): string => `<h3>Examples</h3>
${examplesOf(operation)}
<pre tabindex="0">const events = new EventSource('${operation.path}?' + new URLSearchParams(query))
events.addEventListener('${operation.path.includes('quote') ? 'quotes' : 'status'}', ({ data }) => show(JSON.parse(data)))</pre>`

const answerFields = ({ answers }: Operation, schemas: Schemas): string =>
  Object.values(answers)
    .map(({ content }) =>
      content !== undefined && 'schema' in content ? contentOf(schemas, content.schema, 'always') : '',
    )
    .join('')

const errorTable = (errors: Operation['errors']): string => {
  // CAST: the keys of a record by ErrorCode, which Object.entries forgets.
  const entries = Object.entries(errors) as [ErrorCode, string][]
  return table(
    ['Status', 'Code', 'When'],
    entries.map(([code, condition]) => [
      String(ERROR_STATUS[code]),
      `<code class="words">${code.replaceAll('_', '_<wbr>')}</code>`,
      prose(condition),
    ]),
  )
}

const listSection = (name: string, schemas: Schemas): string => `<h3 id="${name}">${name}</h3>
<p>${prose(new Map(Object.entries(COMPONENTS)).get(name)?.description ?? '')}</p>
${contentOf(schemas, name, '')}
`

const webhooksSection = (schemas: Schemas): string => `<h2 id="webhooks">Webhooks</h2>
<p>The service sends each message by POST to the receivers that its operator names, signed as Standard Webhooks says.</p>
${table(
  ['Header', 'Meaning'],
  Object.entries(WEBHOOK_HEADERS).map(([name, meaning]) => [
    `<code class="words">${name}</code>`,
    prose(meaning),
  ]),
)}
${WEBHOOK_MESSAGES.map(
  ({ operationId, summary, description, body }) => `<h3 id="${operationId}">${html(summary)}</h3>
<p>${prose(description)}</p>
${fieldsOf(schemas, schemas[body] ?? {}, 'always')}`,
).join('')}
`

const operationsSection = (operations: readonly Operation[]): string =>
  `<h2 id="operations">For operators</h2>${table(
    ['Path', 'What it answers'],
    operations
      .filter(({ tag }) => tag === 'operations')
      .map(({ path, summary, description }) => [
        `<a href="${path}"><code class="words">${path}</code></a>`,
        `${html(summary)}. ${prose(description)}`,
      ]),
  )}`
