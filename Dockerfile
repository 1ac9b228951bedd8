# One image for every role: SERVICES picks which. `docker build -t casewatch .`
# Behind a proxy with a certificate of its own: --secret id=ca,src=<bundle.crt>. A base by digest: --build-arg NODE_IMAGE=node@sha256:…
ARG NODE_IMAGE=node:26.10.0-bookworm-slim

# What packages are installed by: the same after most changes, so that the engine keeps the layer with them.
FROM ${NODE_IMAGE} AS manifests
WORKDIR /src
COPY . .
RUN mkdir /manifests \
    && find . \( -name package.json -o -name package-lock.json -o -path ./scripts/setup.mjs \) -exec cp --parents -t /manifests {} +

FROM ${NODE_IMAGE} AS build
WORKDIR /src
COPY --from=manifests /manifests ./
RUN --mount=type=secret,id=ca --mount=type=cache,target=/root/.npm \
    if [ -s /run/secrets/ca ]; then export NODE_EXTRA_CA_CERTS=/run/secrets/ca; fi; \
    node -e "import('/src/scripts/setup.mjs').then(({ installPackages }) => installPackages({ say: console.log }))"
COPY . .
# What is generated and built, and of all that what a running product needs, bundled, with a bill of materials.
RUN node scripts/build.mjs \
    && node scripts/production-files.mjs /out

FROM ${NODE_IMAGE}
ARG VERSION=0.1.0
ARG REVISION=unknown
LABEL org.opencontainers.image.title="Casewatch" \
      org.opencontainers.image.description="Look up US immigration cases by receipt number, keep them, and hear at once when one moves." \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}"
# Starting leaves much garbage and most roles make little later: the young generation stays small, but for the gateway,
# which is given its place by the chart and the compose file. Outside V8 nearly everything happens on one thread: one
# arena, and what is free goes back.
ENV NODE_ENV=production \
    HOST=0.0.0.0 \
    PORT=8080 \
    NODE_OPTIONS=--max-semi-space-size=4 \
    MALLOC_ARENA_MAX=1 \
    MALLOC_TRIM_THRESHOLD_=131072
WORKDIR /app
COPY --from=build --chown=root:root /out/ ./
# What the payments simulator keeps; a volume that is mounted here takes its owner over.
RUN install -d -o 1000 -g 1000 /data
USER 1000:1000
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=2m --retries=3 \
    CMD ["node", "-e", "fetch('http://127.0.0.1:'+(process.env.PORT||8080)+'/livez').then(r=>process.exit(r.ok?0:1),()=>process.exit(1))"]
ENTRYPOINT ["node", "/app/dist/container.js"]
