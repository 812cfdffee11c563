# Cloud tools over base-deps.
ARG IMAGE
FROM ${IMAGE}
