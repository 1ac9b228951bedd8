import { ADMIN_SECURITY } from '@casewatch/contracts/openapi';
import type {
  OpenApiDocument,
  OpenApiOperation,
  OpenApiResponse,
} from '@casewatch/contracts/openapi-document';
import { type Html, html, raw } from './html.ts';
import { renderFields, renderType } from './schema-view.ts';

/** Returns the API's description as a page: no scripts, readable on a phone. */
export function renderDocs(document: OpenApiDocument, stylePath: string): string {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${document.info.title}</title>
<link rel="stylesheet" href="${stylePath}">
</head>
<body>
<header>
<h1>${document.info.title}</h1>
<p>${document.info.description}</p>
<p>For programs: <a href="/api/openapi.json">openapi.json</a> (OpenAPI ${document.openapi}).</p>
</header>
<nav aria-label="Routes">${document.tags.map(
    (tag) => html`
<h2>${tag.description}</h2>
<ul>${operations
      .filter(({ operation }) => operation.tags.includes(tag.name))
      .map(
        ({ method, path, operation }) =>
          html`<li><a href="#${operation.operationId}"><span class="method ${method.toLowerCase()}">${method}</span> <code>${breakable(path)}</code></a></li>`,
      )}</ul>`,
  )}
</nav>
<main>
${operations.map(({ method, path, operation }) => renderOperation(method, path, operation))}
<section id="schemas">
<h2>Objects</h2>
${Object.entries(document.components.schemas).map(
  ([name, schema]) => html`<article id="schema-${name}"><h3>${name}</h3>${renderFields(schema)}</article>`,
)}
</section>
</main>
</body>
</html>
`;
  return page.text;
}

function renderOperation(method: string, path: string, operation: OpenApiOperation): Html {
  const { operationId, summary, description, parameters = [], requestBody, responses } = operation;
  const body = requestBody?.content['application/json']?.schema;
  return html`<section id="${operationId}">
<h2><span class="method ${method.toLowerCase()}">${method}</span> <code>${breakable(path)}</code></h2>
<p><strong>${summary}.</strong> ${description ?? ''} ${whoMay(operation)}</p>
${
  parameters.length > 0
    ? html`<h3>Parameters</h3><dl>${parameters.map(
        ({ name, required, schema, description: text }) =>
          html`<dt><code>${name}</code> ${renderType(schema)}${required ? '' : ' (optional)'}</dt><dd>${text ?? ''}</dd>`,
      )}</dl>`
    : ''
}
${body ? html`<h3>Body</h3>${renderFields(body)}` : ''}
<h3>Answers</h3>
<dl class="answers">${Object.entries(responses).map(([status, response]) => renderResponse(status, response))}</dl>
</section>`;
}

function whoMay({ security: [needed] }: OpenApiOperation): string {
  if (!needed) return 'Open to everyone.';
  return ADMIN_SECURITY in needed ? 'Needs an open admin session.' : 'Needs a signed-in user.';
}

function renderResponse(status: string, { description, content }: OpenApiResponse): Html {
  const schema = content?.['application/json']?.schema;
  const isError = Number(status) >= 400;
  return html`<dt><code>${status}</code></dt><dd>${
    isError
      ? html`<span class="codes">${description.split(', ').map((code) => html`<code>${code}</code> `)}</span>`
      : schema
        ? html`${schema.$ref || schema.items ? renderType(schema) : renderFields(schema)}`
        : 'Nothing'
  }</dd>`;
}

/** Lets a long path wrap after its slashes. */
function breakable(path: string): Html {
  return raw(html`${path}`.text.replaceAll('/', '/<wbr>'));
}
