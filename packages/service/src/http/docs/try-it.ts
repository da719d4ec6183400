import { bodyExamples } from '../openapi/examples.ts'
import type { Parameter } from '../openapi/json-schemas.ts'
import type { Operation } from '../operation.ts'
import { html } from './markup.ts'

/** A form that sends a request to this server and shows the answer. */
export const tryIt = (operation: Operation, parameters: readonly Parameter[]): string =>
  `<form class="try" data-method="${operation.method}" data-path="${operation.path}" aria-label="Try ${html(operation.summary)}">
${parameters.map((parameter) => parameterInput(operation, parameter)).join('\n')}
${operation.body === undefined ? '' : bodyInput(operation)}
<button type="submit">Send</button>
<output class="status"></output>
<pre class="answer" tabindex="0" hidden></pre>
</form>`

const parameterInput = ({ operationId }: Operation, { name, required }: Parameter): string => {
  const id = `${operationId}-${name}`
  return `<label for="${id}"><code>${name}</code></label>
<input id="${id}" name="${name}" autocomplete="off" spellcheck="false"${required ? ' required' : ''}>`
}

const bodyInput = ({ operationId }: Operation): string => {
  const bodies = Object.entries(bodyExamples(operationId)).map(
    ([name, body]) => [name, html(JSON.stringify(body, null, 2))] as const,
  )
  const [first = ['', '']] = bodies
  const id = `${operationId}-body`
  return `<label for="${id}-example">Start from</label>
<select id="${id}-example" data-fills="${id}">${bodies.map(([name, text]) => `<option value="${text}">${name}</option>`).join('')}</select>
<label for="${id}">Body</label>
<textarea id="${id}" name="body" rows="12" spellcheck="false">${first[1]}</textarea>`
}

/** The page's script, which sends the forms and shows the answers. */
export const TRY_IT_SCRIPT = `
for (const select of document.querySelectorAll('select[data-fills]'))
  select.addEventListener('change', () => {
    document.getElementById(select.dataset.fills).value = select.value
  })

const requestOf = (form) => {
  const { body, ...query } = Object.fromEntries(new FormData(form))
  const given = Object.entries(query).filter(([, value]) => value !== '')
  const search = new URLSearchParams(given).toString()
  return {
    url: form.dataset.path + (search === '' ? '' : '?' + search),
    init: body === undefined ? {} : { method: form.dataset.method, headers: { 'content-type': 'application/json' }, body },
  }
}

const send = async (form) => {
  const status = form.querySelector('.status')
  const answer = form.querySelector('.answer')
  status.textContent = 'Sending…'
  const startedAt = performance.now()
  try {
    const { url, init } = requestOf(form)
    const response = await fetch(url, init)
    const text = await response.text()
    status.textContent = response.status + ' after ' + Math.round(performance.now() - startedAt) + ' ms'
    answer.textContent = JSON.stringify(JSON.parse(text), null, 2)
  } catch (error) {
    status.textContent = 'No answer'
    answer.textContent = String(error)
  }
  answer.hidden = false
}

for (const form of document.querySelectorAll('form.try'))
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    send(form)
  })
`
