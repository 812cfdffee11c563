# Exactly one Ray wheel over a base.
ARG IMAGE
FROM ${IMAGE}
COPY wheels/ /wheels/
