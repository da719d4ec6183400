/** Escapes text for HTML, also within attributes. */
export const html = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

/** A description as HTML; text between backticks is code. */
export const prose = (text: string): string =>
  html(text).replaceAll(/`([^`]+)`/g, (_, code: string) => `<code>${code}</code>`)

/** A table with a row of headings; the cells are HTML. */
export const table = (heads: readonly string[], rows: readonly (readonly string[])[]): string =>
  `<div class="scroll"><table><thead><tr>${heads.map((head) => `<th scope="col">${head}</th>`).join('')}</tr></thead><tbody>${rows
    .map((cells) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`)
    .join('\n')}</tbody></table></div>`

/** A block that expands in place; both texts are HTML. */
export const details = (summary: string, content: string): string =>
  `<details><summary>${summary}</summary>\n<div class="inside">${content}</div></details>`

/** A preformatted block of text. */
export const code = (text: string): string => `<pre tabindex="0"><code>${html(text)}</code></pre>`
