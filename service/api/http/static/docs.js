// Draws the contract of the server that this page came from.
SwaggerUIBundle({
  url: "openapi.json",
  dom_id: "#contract",
  validatorUrl: null, // the default would ask a third party
  deepLinking: true,
  docExpansion: "list",
  defaultModelsExpandDepth: 0,
});
